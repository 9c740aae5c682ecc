package import Motion
package import Quantities

/// Detects that somebody moves or lifts the vehicle while the ignition line shows that the ignition is off; or, without
/// such a line, drives it without the driver's beacon. If the driver has no beacon, the rule cannot distinguish a
/// vehicle on a ferry or a car train from a stolen one.
package struct TowRule: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// The line has changed, or was read at the start.
        case ignition(isOn: Bool)
        case parked(at: Position?)
        /// The verdict on a window of one second.
        case motion(MotionVerdict)
        case fix(AcceptedFix)
    }

    package enum Memory: Sendable, Hashable, Codable {
        /// The ignition is on or unknown, and no tow was reported. `parked` is nil if unknown, or if the vehicle has moved
        /// since.
        case off(parked: Position?)
        case watching(Parked)
        /// A tow was reported. The next one is reported only after the ignition was on, or after a confirmed stop.
        case told
    }

    package struct Parked: Sendable, Hashable, Codable {
        fileprivate var place: Position?
        /// The mean acceleration while the vehicle stands.
        fileprivate var upright: AccelerationSample?
        /// True if a rule has confirmed the stop. Before that, people get out, or put a motorcycle on its stand.
        fileprivate var isConfirmed: Bool
    }

    /// The evidence since the ignition was switched off, or since the stop was confirmed.
    private struct Signs: Sendable, Hashable {
        /// Whether motion was felt; nil without a verdict of the accelerometer.
        var hasFeltMotion: Bool?
        var fixesAway = 0
        var windowsTilted = 0
        var began: Instant?
    }

    /// Larger than the drift of a parked fix, and than the distance that people push a vehicle to make room.
    private static let radius = Metres(50)
    private static let fewestFixes = 2
    /// A faster vehicle is still rolling.
    private static let standingSpeed = MetresPerSecond(1)
    /// The cosine of 3°: people tilt a car by 1° or 2° as they enter or load it, a tow truck by 5° or more.
    private static let tiltedCosine = 0.99863
    /// The least number of consecutive windows of a second; a rolling ship leans to one side for about 5 s.
    private static let fewestTilted = 8

    /// A trip begins and its scan ends within this time; a parked vehicle has no scan.
    private static let longestWait = Duration.seconds(120)

    package private(set) var memory: Memory
    private var signs = Signs()

    /// By default, the ignition and the parked place are unknown.
    package init(restoring memory: Memory = .off(parked: nil)) { self.memory = memory }

    /// `hasLine` is true if an ignition line is known.
    package mutating func handle(
        _ event: Event, hasLine: Bool = true, driver: DriverWitness = .none, at now: Instant
    ) -> DrivingEvent? {
        switch (event, memory) {
        case (.ignition(isOn: true), .watching(let parked)):
            watch(.off(parked: parked.isConfirmed ? parked.place : nil))
        case (.ignition(isOn: true), .told):
            watch(.off(parked: nil))
        case (.ignition(isOn: false), .off(let place)):
            watch(.watching(Parked(place: place, isConfirmed: place != nil)))
        case (.parked(let place), .off):
            watch(.off(parked: place))
        // Without a line, nothing would end the watch when the owner drives.
        case (.parked(let place), _) where !hasLine:
            watch(.off(parked: place))
        case (.parked(let place), .watching(let parked)):
            watch(.watching(Parked(place: place ?? parked.place, upright: parked.upright, isConfirmed: true)))
        case (.parked(let place), .told):
            watch(.watching(Parked(place: place, isConfirmed: true)))
        case (.motion(let verdict), .watching(let parked)):
            return conclude(feel(verdict, parked, at: now), driver, at: now)
        case (.fix(let fix), .watching(let parked)):
            return conclude(see(fix, parked, at: now), driver, at: now)
        case (.fix(let fix), .off(let place)):
            let isAway = place.map { fix.position.isProvablyAway(from: $0, by: Self.radius) } ?? false
            if fix.provesMovement { watch(.off(parked: nil)) }
            guard fix.provesMovement || isAway, !hasLine, driver == .absent else { break }
            watch(.told)
            return DrivingEvent(.tow, peak: nil, lasted: ScanDuty.fullAtStart)
        case (.ignition(isOn: true), .off), (.ignition(isOn: false), .watching), (.ignition(isOn: false), .told),
            (.motion, .off), (.motion, .told), (.fix, .told):
            break
        }
        return nil
    }

    private mutating func watch(_ memory: Memory) {
        self.memory = memory
        signs = Signs()
    }

    private mutating func feel(_ verdict: MotionVerdict, _ parked: Parked, at now: Instant) -> Parked {
        var parked = parked
        signs.hasFeltMotion = signs.hasFeltMotion == true || verdict.isMoving
        if let mean = verdict.forces?.mean {
            let isTilted = parked.upright.map { mean.isTilted(from: $0, beyondCosine: Self.tiltedCosine) } ?? false
            signs.windowsTilted = isTilted && parked.isConfirmed ? signs.windowsTilted + 1 : 0
            if !verdict.isMoving, parked.upright == nil || !parked.isConfirmed { parked.upright = mean }
        }
        let isQuiet = !verdict.isMoving && signs.windowsTilted == 0 && signs.fixesAway == 0
        signs.began = isQuiet ? nil : signs.began ?? now
        return parked
    }

    private mutating func see(_ fix: AcceptedFix, _ parked: Parked, at now: Instant) -> Parked {
        var parked = parked
        if let place = parked.place {
            signs.fixesAway = fix.position.isProvablyAway(from: place, by: Self.radius) ? signs.fixesAway + 1 : 0
            if signs.fixesAway > 0 { signs.began = signs.began ?? now }
        } else if (fix.position.speed ?? .zero) <= Self.standingSpeed {
            parked.place = fix.position
        }
        return parked
    }

    private mutating func conclude(_ parked: Parked, _ driver: DriverWitness, at now: Instant) -> DrivingEvent? {
        let isAwaited = driver == .awaited && signs.began.map { now - $0 <= Self.longestWait } ?? true
        let isOwner = isAwaited || driver == .heard
        let isAway = signs.fixesAway >= Self.fewestFixes && signs.hasFeltMotion != false && !isOwner
        guard isAway || signs.windowsTilted >= Self.fewestTilted else {
            memory = .watching(parked)
            return nil
        }
        let lasted = signs.began.map { now - $0 } ?? .zero
        watch(.told)
        return DrivingEvent(.tow, peak: nil, lasted: lasted)
    }
}
