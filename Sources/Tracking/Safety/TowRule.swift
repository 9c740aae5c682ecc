package import Motion
package import Quantities

/// Notices that somebody moves the vehicle, or lifts it, while its ignition is off.
///
/// It takes a board with an ignition line: nothing is noticed before that has been heard of. A vehicle on a ferry or on a car
/// train is moved without ignition too, and cannot be told from one that is stolen.
package struct TowRule: Sendable, Hashable {
    /// What the rule is told.
    package enum Event: Sendable, Hashable {
        /// The ignition line changed, or was read.
        case ignition(isOn: Bool)
        /// A stop was confirmed, here if that is known.
        case parked(at: Position?)
        /// The accelerometer judged a window of one second.
        case motion(MotionVerdict)
        /// A fix was accepted.
        case fix(AcceptedFix)
    }

    /// What the rule remembers.
    package enum Memory: Sendable, Hashable, Codable {
        /// The ignition is on, or there is no line; the place is that of a stop that was confirmed all the same.
        case off(parked: Position?)
        /// The ignition is off.
        case watching(Parked)
        /// A tow was told of; once is enough for a trip.
        case told
    }

    /// A vehicle whose ignition is off.
    package struct Parked: Sendable, Hashable, Codable {
        /// Where it stands; nothing before a fix has shown that.
        fileprivate var place: Position?
        /// What the accelerometer reads while it stands.
        fileprivate var upright: AccelerationSample?
        /// Whether the stop was confirmed; before that people get out, and a motorcycle is put on its stand.
        fileprivate var isConfirmed: Bool
    }

    /// What there was to be felt and seen since then.
    private struct Signs: Sendable, Hashable {
        /// Nothing while no accelerometer says anything.
        var hasFeltMotion: Bool?
        var fixesAway = 0
        var windowsTilted = 0
        /// When the signs that there are began.
        var began: Instant?
    }

    /// Farther than the place of a fix wanders, and than a vehicle is pushed by hand to make room.
    private static let radius = Metres(50)
    private static let fewestFixes = 2
    /// Faster than that the vehicle still rolls out with its ignition off.
    private static let standingSpeed = MetresPerSecond(1)
    /// The cosine of 3°: who gets in or loads tilts a car by 1° or 2°; a tow truck lifts one axle, and that makes 5° and more.
    private static let tiltedCosine = 0.99863
    /// Windows of a second; a ship that rolls leans over to one side for about 5 s at a time.
    private static let fewestTilted = 8

    /// What is remembered; belongs into what survives a restart.
    package private(set) var memory: Memory
    private var signs = Signs()

    /// Makes a rule that goes on from what it remembered, at first that it has not heard of an ignition line.
    package init(restoring memory: Memory = .off(parked: nil)) { self.memory = memory }

    /// Takes in what happened at that moment; gives the tow when that is one.
    package mutating func handle(_ event: Event, at now: Instant) -> DrivingEvent? {
        switch (event, memory) {
        case (.ignition(isOn: true), .watching(let parked)):
            watch(.off(parked: parked.isConfirmed ? parked.place : nil))
        case (.ignition(isOn: true), .told):
            watch(.off(parked: nil))
        case (.ignition(isOn: false), .off(let place)):
            watch(.watching(Parked(place: place, isConfirmed: place != nil)))
        case (.parked(let place), .off):
            watch(.off(parked: place))
        case (.parked(let place), .watching(let parked)):
            watch(.watching(Parked(place: place ?? parked.place, upright: parked.upright, isConfirmed: true)))
        case (.parked(let place), .told):
            watch(.watching(Parked(place: place, isConfirmed: true)))
        case (.motion(let verdict), .watching(let parked)):
            return conclude(feel(verdict, parked, at: now), at: now)
        case (.fix(let fix), .watching(let parked)):
            return conclude(see(fix, parked, at: now), at: now)
        case (.fix(let fix), .off):
            if fix.provesMovement { watch(.off(parked: nil)) }
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

    private mutating func conclude(_ parked: Parked, at now: Instant) -> DrivingEvent? {
        let isAway = signs.fixesAway >= Self.fewestFixes && signs.hasFeltMotion != false
        guard isAway || signs.windowsTilted >= Self.fewestTilted else {
            memory = .watching(parked)
            return nil
        }
        let lasted = signs.began.map { now - $0 } ?? .zero
        watch(.told)
        return DrivingEvent(.tow, peak: nil, lasted: lasted)
    }
}
