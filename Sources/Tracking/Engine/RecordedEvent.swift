package import Motion
package import Quantities

/// The first line of a recording by `trackerd record`: the state of the tracker when the recording began.
package struct RecordingHeader: Sendable, Hashable, Codable {
    /// The version of the format; a reader refuses a version that it does not know.
    package var recording = Self.version
    /// UTC when the recording began, in milliseconds since 1970.
    package var time: Timestamp
    /// Whether GPS or a time server had set the clock.
    package var isTimeTrusted: Bool
    /// Whether an accelerometer answered.
    package var hasMotionSensor: Bool
    package var isIgnitionOn: Bool
    /// The state of the engine, from which a replay continues.
    package var state: EngineState

    package static let version = 1

    package init(_ engine: EngineStatus, at now: Instant) {
        let time = engine.utcEstimate.time(at: now)
        self.time = time.time
        isTimeTrusted = time.isTrusted
        hasMotionSensor = engine.hasMotionSensor
        isIgnitionOn = engine.ignition == true
        state = engine.state
    }
}

/// One report of a sensor, as a line of a recording.
///
/// Each line has one of the optional fields. A recording contains no commands, timers or options, because a replay has
/// its own.
package struct RecordedEvent: Sendable, Hashable, Codable {
    /// Time since the recording began, in seconds.
    package var t_s: Double
    /// A report of the receiver.
    package var fix: Fix?
    package var motion: MotionVerdict?
    /// Whether the accelerometer answers.
    package var motionSensor: Bool?
    package var ignition: Bool?
    package var beacon: BeaconSighting?
    /// Whether the Bluetooth adapter scans.
    package var beaconScanner: Bool?
    /// The voltage of the vehicle's battery.
    package var supply_V: Volts?
    package var power: PowerChange?
    /// The number of missing lines at this place; lines are missing if the recorder reads too slowly.
    package var lost: Int?

    /// Notes that lines are missing.
    package init(lost count: Int, at time: Duration) {
        t_s = time.inSeconds
        lost = count
    }

    /// Describes an event; nil if the event is not a report of a sensor.
    package init?(_ event: Event, at time: Duration) {
        t_s = time.inSeconds
        switch event {
        case .fix(let report): fix = report
        case .motion(let verdict): motion = verdict
        case .motionSensor(let isThere): motionSensor = isThere
        case .ignition(let isOn): ignition = isOn
        case .beacon(let sighting): beacon = sighting
        case .beaconScanner(let isListening): beaconScanner = isListening
        case .supply(let voltage): supply_V = voltage
        case .power(let change) where change != .started && change != .shutdown: power = change
        case .power, .started, .resumed, .options, .remoteOptions, .delivered, .order, .configuration, .serverRegions,
            .receiver, .receiverLines, .wallClock, .timer, .command, .transferErrors, .storage, .health,
            .haltRefused,
            .privateSwitch:
            return nil
        }
    }

    /// The event for the engine; nil for a fix, and for a line about missing lines.
    ///
    /// A replay reads a fix from the field `fix` instead.
    package var event: Event? {
        if let motion { return .motion(motion) }
        if let motionSensor { return .motionSensor(isThere: motionSensor) }
        if let ignition { return .ignition(isOn: ignition) }
        if let beacon { return .beacon(beacon) }
        if let beaconScanner { return .beaconScanner(isListening: beaconScanner) }
        if let supply_V { return .supply(supply_V) }
        return power.map { .power($0) }
    }
}
