package import Quantities
package import TrackingOptions

/// Believes that one region was entered or left: when it is certain, or when it was seen twice in a row.
struct RegionWatch: Sendable, Hashable {
    /// What one look told.
    struct Finding: Sendable, Hashable {
        /// On which side of the border the vehicle is.
        var isInside: Bool
        /// Whether it is on that side by more than the error.
        var isCertain: Bool
        /// When and where.
        var sight: TimedPosition
    }

    /// What has come of a look.
    enum Verdict: Sendable, Hashable {
        case entered(TimedPosition)
        case left(TimedPosition, after: Duration?)
    }

    let id: String
    /// Position of the region in the table, which changes with that.
    var slot: Int
    private(set) var stay: RegionOccupancy?
    /// Where the border was crossed according to a look that is not believed yet.
    private var doubt: TimedPosition?
    private var changed: Timestamp?
    /// Whether a look since the start of the program has shown that the stay goes on.
    private var isConfirmed = false

    /// Watches a region that the vehicle is not in.
    init(outside id: String, slot: Int) {
        self.id = id
        self.slot = slot
    }

    /// Goes on with a stay that began before a restart.
    init(restoring stay: RegionOccupancy, slot: Int) {
        id = stay.id
        self.slot = slot
        self.stay = stay
        changed = stay.entered
    }

    /// Takes a look into account; `crossing` finds out when and where the border was crossed, and is asked when needed.
    mutating func take(_ finding: Finding, holdDown: Duration, crossing: () -> TimedPosition) -> Verdict? {
        guard finding.isInside != (stay != nil) else {
            doubt = nil
            isConfirmed = true
            return nil
        }
        let isRepeated = doubt != nil
        let crossed = doubt ?? crossing()
        doubt = crossed
        let now = finding.sight
        guard finding.isCertain || isRepeated, stay == nil || now.time - crossed.time >= holdDown else { return nil }
        // A change too soon after the last is not lost: the doubt stays, and the next look finds it again.
        return [crossed, now].first { isLateEnough($0.time) }.map { believe($0) }
    }

    /// Forgets a look that is not believed yet, because it was at another border.
    mutating func forgetDoubt() { doubt = nil }

    /// Whether the stay has lasted for `span` just now, for the first time.
    mutating func hasDwelt(for span: Duration?, at now: Timestamp) -> Bool {
        guard let due = dwellDue(after: span), now >= due else { return false }
        stay?.hasDwelt = true
        return true
    }

    /// When the stay will have lasted for `span`; nothing while it is doubtful, and when that has been told.
    func dwellDue(after span: Duration?) -> Timestamp? {
        guard let span, let stay, !stay.hasDwelt, isConfirmed, doubt == nil else { return nil }
        return stay.entered + span
    }

    /// When a change that has been seen but not told may be told.
    func changeDue(holdDown: Duration) -> Timestamp? {
        guard let doubt else { return nil }
        let held = stay == nil ? doubt.time : doubt.time + holdDown
        guard let changed, !isLateEnough(doubt.time) else { return held }
        return max(held, changed + Self.shortestInterval)
    }

    /// Whether there is nothing to remember about the region.
    func isIdle(at now: Timestamp) -> Bool {
        stay == nil && doubt == nil && (changed.map { (now - $0).magnitude >= Self.shortestInterval } ?? true)
    }

    private func isLateEnough(_ time: Timestamp) -> Bool {
        changed.map { (time - $0).magnitude >= Self.shortestInterval } ?? true
    }

    private mutating func believe(_ sight: TimedPosition) -> Verdict {
        defer {
            doubt = nil
            changed = sight.time
            isConfirmed = true
        }
        guard let stay else {
            self.stay = RegionOccupancy(id: id, entered: sight.time)
            return .entered(sight)
        }
        self.stay = nil
        // When it left while the program was down, or the clock was set back meanwhile, nobody knows how long it stayed.
        let lasted = sight.time - stay.entered
        return .left(sight, after: isConfirmed && lasted >= .zero ? lasted : nil)
    }

    /// At most one transition of a region in this time.
    private static let shortestInterval = Duration.seconds(10)
}

extension RegionWatch {
    /// Takes a fix into account.
    mutating func judge(_ fix: AcceptedFix, after previous: AcceptedFix?, for region: Region) -> [RegionCrossing] {
        let sight = TimedPosition(time: fix.time, position: fix.position)
        guard let area = region.shape.area else { return dwell(at: sight, in: region) }
        let clearance = area.clearance(from: fix.coordinate)
        let error = fix.position.accuracy ?? Position.usualError
        let finding = Finding(isInside: clearance <= .zero, isCertain: clearance.magnitude > error, sight: sight)
        let verdict = take(finding, holdDown: region.options.holdDown) {
            area.crossing(from: previous, to: fix)
        }
        return crossings(verdict, in: region) + dwell(at: sight, in: region)
    }

    /// Takes into account that the region's beacon is heard, or not any more.
    mutating func judge(isPresent: Bool, at sight: TimedPosition, for region: Region) -> [RegionCrossing] {
        let finding = Finding(isInside: isPresent, isCertain: true, sight: sight)
        let verdict = take(finding, holdDown: region.options.holdDown) { sight }
        return crossings(verdict, in: region)
    }

    /// Takes into account that time has passed: what a beacon told too early may be told now, and a stay be long enough.
    mutating func elapse(to sight: TimedPosition, for region: Region) -> [RegionCrossing] {
        var told: [RegionCrossing] = []
        if let change = beaconDue(for: region), change <= sight.time {
            told = judge(isPresent: stay == nil, at: sight, for: region)
        }
        return told + dwell(at: sight, in: region)
    }

    /// When `elapse` will have something to tell.
    func due(for region: Region) -> Timestamp? {
        [dwellDue(after: region.options.dwell), beaconDue(for: region)].compactMap { $0 }.min()
    }

    /// A border is looked at again with each fix; a beacon tells of a change once.
    private func beaconDue(for region: Region) -> Timestamp? {
        region.shape.trigger == .beacon ? changeDue(holdDown: region.options.holdDown) : nil
    }

    private mutating func dwell(at sight: TimedPosition, in region: Region) -> [RegionCrossing] {
        hasDwelt(for: region.options.dwell, at: sight.time) ? [RegionCrossing(.dwell, of: region, at: sight)] : []
    }

    private func crossings(_ verdict: Verdict?, in region: Region) -> [RegionCrossing] {
        switch verdict {
        case .entered(let sight): [RegionCrossing(.enter, of: region, at: sight)]
        case .left(let sight, let lasted): [RegionCrossing(.leave, of: region, at: sight, inside: lasted)]
        case nil: []
        }
    }
}

extension RegionArea {
    /// When and where the border was crossed on the way to `fix`; that is at the fix when the last one is too long ago.
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

    /// On a longer way the vehicle may have gone anywhere.
    private static let longestWay = Duration.seconds(60)
    /// Enough to halve a minute down to a millisecond.
    private static let halvings = 16
}

/// A region was entered, left or dwelt in, with all that the engine needs to record it.
package struct RegionCrossing: Sendable, Hashable {
    /// What happened.
    package let transition: Transition
    /// When: when the border was crossed, as far as the fixes tell.
    package let time: Timestamp
    /// Where; nothing when a beacon told and no fix has been taken.
    package let position: Position?
    /// The mode to switch to.
    package let mode: MonitoringMode?
    /// Whether the region's waypoint is to be moved to `position`.
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
    }
}

/// Where the vehicle was at a moment.
struct TimedPosition: Sendable, Hashable {
    var time: Timestamp
    var position: Position?
}

/// The vehicle is in a region: what survives a restart.
package struct RegionOccupancy: Sendable, Hashable, Codable {
    /// The key of the region.
    package let id: String
    /// When it was entered.
    package let entered: Timestamp
    /// Whether it has been told that the vehicle dwells there.
    package internal(set) var hasDwelt: Bool

    /// Makes a stay.
    package init(id: String, entered: Timestamp, hasDwelt: Bool = false) {
        self.id = id
        self.entered = entered
        self.hasDwelt = hasDwelt
    }
}
