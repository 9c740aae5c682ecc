package import Motion
package import Quantities

/// Detects that somebody moves or lifts the vehicle while its ignition is off.
///
/// The rule needs a board with an ignition line, and begins when it receives the first state of that line. A vehicle on a ferry
/// or a car train also moves without ignition; the rule cannot distinguish such a vehicle from a stolen one.
package struct TowRule: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// The ignition line changed, or the program read the line.
        case ignition(isOn: Bool)
        /// A rule confirmed a stop; the position is nil if it is unknown.
        case parked(at: Position?)
        /// The accelerometer evaluated a window of one second.
        case motion(MotionVerdict)
        /// The filter accepted a fix.
        case fix(AcceptedFix)
    }

    package enum Memory: Sendable, Hashable, Codable {
        /// The ignition is on, or no ignition line is known.
        ///
        /// `parked` is the position of the last confirmed stop; nil if it is unknown or the vehicle has moved since.
        case off(parked: Position?)
        /// The ignition is off.
        case watching(Parked)
        /// The rule has reported a tow; it reports the next tow only after the ignition is switched on or a stop is
        /// confirmed.
        case told
    }

    /// A vehicle with its ignition off.
    package struct Parked: Sendable, Hashable, Codable {
        /// Where the vehicle stands; nil while the position is unknown.
        fileprivate var place: Position?
        /// The mean acceleration while the vehicle stands.
        fileprivate var upright: AccelerationSample?
        /// Whether the stop is confirmed.
        ///
        /// Before the confirmation, people get out of the vehicle, or a rider puts a motorcycle on its stand.
        fileprivate var isConfirmed: Bool
    }

    /// The evidence since the ignition was switched off.
    private struct Signs: Sendable, Hashable {
        /// Whether the accelerometer measured motion; nil if there was no verdict.
        var hasFeltMotion: Bool?
        var fixesAway = 0
        var windowsTilted = 0
        /// When the present evidence began.
        var began: Instant?
    }

    /// This radius is larger than the drift of a parked fix, and larger than the distance over which people push a
    /// vehicle by hand to make room.
    private static let radius = Metres(50)
    private static let fewestFixes = 2
    /// At a higher speed the vehicle is still rolling with its ignition off.
    private static let standingSpeed = MetresPerSecond(1)
    /// The cosine of 3°.
    ///
    /// People who enter or load a car tilt it by 1° or 2°. A tow truck that lifts one axle tilts the car by 5° or more.
    private static let tiltedCosine = 0.99863
    /// The number of consecutive tilted windows of one second that prove a tow.
    ///
    /// A rolling ship leans to one side for only about 5 s at a time.
    private static let fewestTilted = 8

    /// The state of the rule; survives a restart.
    package private(set) var memory: Memory
    private var signs = Signs()

    /// Restores a rule; by default, no ignition line is known.
    package init(restoring memory: Memory = .off(parked: nil)) { self.memory = memory }

    /// Handles an input event; returns a tow if the rule now detects one, else nil.
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
