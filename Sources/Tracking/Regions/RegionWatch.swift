package import Quantities
package import TrackingOptions

/// How a position of the vehicle counts for borders.
enum RegionEvidence: Sendable {
    case driving
    /// The position is the place where the vehicle has just been parked, which decides.
    case arrived
    /// The position is the parked place. Its corrections share the error of the fixes, so after the first observation,
    /// a correction counts only if it is farther from the border than its error.
    case parked
}

/// Watches one region. A crossing counts if one observation is certain, or if two in a row show it.
struct RegionWatch: Sendable, Hashable {
    let id: String
    /// The region's place in the table, which changes with the table.
    var slot: Int
    private(set) var stay: RegionOccupancy?
    /// A crossing that is not confirmed yet.
    private var doubt: TimedPosition?
    private var changed: Timestamp?
    /// True if an observation since the program started has confirmed `stay`.
    private var isConfirmed = false

    init(outside id: String, slot: Int) {
        self.id = id
        self.slot = slot
    }

    init(occupying id: String, slot: Int, since time: Timestamp) {
        self.init(restoring: RegionOccupancy(id: id, entered: time), slot: slot)
        isConfirmed = true
    }

    init(restoring stay: RegionOccupancy, slot: Int) {
        id = stay.id
        self.slot = slot
        self.stay = stay
        changed = stay.entered
    }

    /// Calls `crossing` only for the first finding of a possible crossing.
    private mutating func take(
        isInside: Bool, isCertain: Bool, at now: TimedPosition, for region: Region, crossing: () -> TimedPosition
    ) -> [RegionCrossing] {
        guard isInside != (stay != nil) else {
            doubt = nil
            isConfirmed = true
            return []
        }
        let isRepeated = doubt != nil
        let crossed = doubt ?? crossing()
        doubt = crossed
        let isHeld = stay == nil || now.time - crossed.time >= region.options.holdDown
        guard isCertain || isRepeated, isHeld else { return [] }
        // If the change is too soon after the last one, `doubt` stays, and the next observation handles it again.
        return [crossed, now].first { isLateEnough($0.time) }.map { [believe($0, region)] } ?? []
    }

    /// The border has changed, so earlier findings do not count.
    mutating func forgetDoubt() { doubt = nil }

    /// Nil outside, if the vehicle may have left, if the dwell was recorded, and after a restart until an observation
    /// has confirmed `stay`.
    private func dwellDue(after span: Duration?) -> Timestamp? {
        guard let span, let stay, !stay.hasDwelt, isConfirmed, doubt == nil else { return nil }
        return stay.entered + span
    }

    /// True if no later observation needs the state.
    func isIdle(at now: Timestamp) -> Bool {
        stay == nil && doubt == nil && isLateEnough(now)
    }

    private func isLateEnough(_ time: Timestamp) -> Bool {
        changed.map { (time - $0).magnitude >= Self.shortestInterval } ?? true
    }

    private mutating func believe(_ sight: TimedPosition, _ region: Region) -> RegionCrossing {
        defer {
            doubt = nil
            changed = sight.time
            isConfirmed = true
        }
        guard let stay else {
            self.stay = RegionOccupancy(id: id, entered: sight.time)
            return RegionCrossing(.enter, of: region, at: sight)
        }
        self.stay = nil
        // The duration is unknown if the vehicle may have left while the program was off, or if the clock was set back.
        let lasted = sight.time - stay.entered
        let isKnown = isConfirmed && lasted >= .zero
        return RegionCrossing(.leave, of: region, at: sight, inside: isKnown ? lasted : nil)
    }

    /// The least time between two transitions of a region.
    private static let shortestInterval = Duration.seconds(10)

    mutating func judge(
        _ fix: AcceptedFix, _ evidence: RegionEvidence = .driving, after previous: AcceptedFix?, for region: Region
    ) -> [RegionCrossing] {
        let sight = TimedPosition(time: fix.time, position: fix.position)
        guard let area = region.shape.area else { return dwell(at: sight, in: region) }
        let clearance = area.clearance(from: fix.coordinate)
        let error = fix.position.accuracy ?? Position.usualError
        let isDecisive = evidence == .arrived || evidence == .parked && !isConfirmed
        let isCertain = isDecisive || clearance.magnitude > error
        guard isCertain || evidence == .driving else { return dwell(at: sight, in: region) }
        return take(isInside: clearance <= .zero, isCertain: isCertain, at: sight, for: region) {
            area.crossing(from: previous, to: fix)
        } + dwell(at: sight, in: region)
    }

    mutating func judge(isPresent: Bool, at sight: TimedPosition, for region: Region) -> [RegionCrossing] {
        take(isInside: isPresent, isCertain: true, at: sight, for: region) { sight }
    }

    /// Returns a deferred beacon change, and a dwell that is now long enough.
    mutating func elapse(to sight: TimedPosition, for region: Region) -> [RegionCrossing] {
        var told: [RegionCrossing] = []
        if let change = beaconDue(for: region), change <= sight.time {
            told = judge(isPresent: stay == nil, at: sight, for: region)
        }
        return told + dwell(at: sight, in: region)
    }

    func due(for region: Region) -> Timestamp? {
        [dwellDue(after: region.options.dwell), beaconDue(for: region)].compactMap { $0 }.min()
    }

    /// A border needs no timer, because it is checked with each fix.
    private func beaconDue(for region: Region) -> Timestamp? {
        guard region.shape.trigger == .beacon, let doubt else { return nil }
        let held = stay == nil ? doubt.time : doubt.time + region.options.holdDown
        guard let changed, !isLateEnough(doubt.time) else { return held }
        return max(held, changed + Self.shortestInterval)
    }

    private mutating func dwell(at sight: TimedPosition, in region: Region) -> [RegionCrossing] {
        guard let due = dwellDue(after: region.options.dwell), sight.time >= due else { return [] }
        stay?.hasDwelt = true
        return [RegionCrossing(.dwell, of: region, at: sight)]
    }
}

extension RegionArea {
    /// The crossing on the way to `fix`; if the previous fix is missing, too old or on the same side, `fix` itself.
    fileprivate func crossing(from previous: AcceptedFix?, to fix: AcceptedFix) -> TimedPosition {
        func isInside(_ place: Coordinate) -> Bool { clearance(from: place) <= .zero }
        let isInsideNow = isInside(fix.coordinate)
        guard let previous, fix.time - previous.time < Self.longestWay, isInside(previous.coordinate) != isInsideNow
        else { return TimedPosition(time: fix.time, position: fix.position) }
        var (before, after) = (0.0, 1.0)
        for _ in 0..<Self.halvings {
            let middle = (before + after) / 2
            let place = previous.coordinate.between(fix.coordinate, share: middle)
            if isInside(place) == isInsideNow { after = middle } else { before = middle }
        }
        var position = fix.position
        position.coordinate = previous.coordinate.between(fix.coordinate, share: after)
        position.accuracy = fix.position.accuracy.flatMap { now in
            previous.position.accuracy.map { max(now, $0) }
        }
        let elapsed = (fix.time - previous.time).inSeconds
        return TimedPosition(time: previous.time + Duration(inSeconds: elapsed * after), position: position)
    }

    /// If the fixes before and after a crossing are at least this far apart, the way between them is unknown.
    private static let longestWay = Duration.seconds(60)
    /// Sixteen halvings reduce a minute to about a millisecond.
    private static let halvings = 16
}

/// An entry, an exit or a dwell, with all that its record needs.
package struct RegionCrossing: Sendable, Hashable {
    package let transition: Transition
    /// The time of a crossing between two fixes is interpolated.
    package let time: Timestamp
    /// Nil if a beacon or a timer caused the crossing while the position was unknown.
    package let position: Position?
    package let mode: MonitoringMode?
    /// Nil for a region that is no circle.
    package let radius: Metres?
    package let movesWaypoint: Bool

    init(_ direction: Transition.Direction, of region: Region, at sight: TimedPosition, inside: Duration? = nil) {
        transition = Transition(
            direction, by: region.shape.trigger, of: region.name, text: region.text, defined: region.defined,
            inside: inside)
        time = sight.time
        position = sight.position
        switch direction {
        case .enter: mode = region.options.modeOnEnter
        case .leave: mode = region.options.modeOnLeave
        case .dwell: mode = nil
        }
        movesWaypoint = region.options.movesWithVehicle && direction != .dwell
        if case .circle(_, let radius) = region.shape.area { self.radius = radius } else { radius = nil }
    }
}

/// The vehicle is inside a region; this state survives a restart.
package struct RegionOccupancy: Sendable, Hashable, Codable {
    package let id: String
    package let entered: Timestamp
    package internal(set) var hasDwelt = false
}
