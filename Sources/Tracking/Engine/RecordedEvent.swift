package import Motion
package import Quantities

/// The first line of `trackerd record`.
package struct RecordingHeader: Sendable, Hashable, Codable {
    /// A reader refuses an unknown version.
    package var recording = Self.version
    package var time: Timestamp
    /// True if GPS or a time server has set the clock.
    package var isTimeTrusted: Bool
    package var hasMotionSensor: Bool
    package var isIgnitionOn: Bool
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

/// A line of a recording, with one field besides the time. A recording has no commands, timers or options, because a
/// replay has its own.
package struct RecordedEvent: Sendable, Hashable, Codable {
    /// Seconds since the recording began.
    package var t_s: Double
    package var fix: Fix?
    package var motion: MotionVerdict?
    package var motionSensor: Bool?
    package var ignition: Bool?
    package var beacon: BeaconSighting?
    package var beaconScanner: Bool?
    package var supply_V: Volts?
    package var power: PowerChange?
    /// The number of events that are missing here, because the recorder has read too slowly.
    package var lost: Int?

    package init(lost count: Int, at time: Duration) {
        t_s = time.inSeconds
        lost = count
    }

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
            .receiver, .receiverLines, .wallClock, .timer, .command, .transferErrors, .storage, .health, .haltRefused,
            .privateSwitch:
            return nil
        }
    }

    /// Nil for a fix, which a replay reads from `fix`, and for a line that only counts lost events.
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
