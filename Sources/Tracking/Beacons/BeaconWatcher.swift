import Quantities
import TrackingOptions

/// Listens for beacons: those of regions, the vehicle's own, and the driver's.
package struct BeaconWatcher: Sendable {
    private var tracker: BeaconTracker
    private var detection: VehicleIdentification
    private var duty = ScanDuty.off
    private var isListening = true
    private var hasRegions: Bool

    init(
        _ configuration: EngineConfiguration, _ regions: [Region], exitDelay: Duration, inside: [String],
        isOnTrip: Bool, restoring snapshot: Snapshot
    ) {
        let beacons = Self.beaconRegions(regions)
        tracker = BeaconTracker(beacons, exitDelay: exitDelay, inside: inside)
        hasRegions = !beacons.isEmpty
        detection = VehicleIdentification(
            configuration.markedBeacons, restoring: snapshot.names, isOnTrip: isOnTrip)
    }

    /// Vehicle and driver, as far as beacons have named them.
    var names: VehicleIdentification.Names { detection.names }

    /// Takes a sighting in.
    mutating func hear(
        _ sighting: BeaconSighting, at now: Instant, into effects: inout EffectBuffer
    ) -> [BeaconTracker.Effect] {
        if detection.handle(.sighting(sighting), at: now) {
            let names = [names.vehicle.map { "vehicle \($0)" }, names.driver.map { "driver \($0)" }]
            effects.decide(.beacon, names.compactMap { $0 }.joined(separator: ", "))
        }
        return tracker.handle(.sighting(sighting), at: now)
    }

    /// Handles the timer: a beacon may have been silent for long enough.
    mutating func timer(at now: Instant) -> [BeaconTracker.Effect] { tracker.handle(.timer, at: now) }

    /// Listens as much as is called for now: all the time at the start of a trip, less afterwards, for regions while parked.
    mutating func rescan(
        movingSince: Instant?, isTracking: Bool, _ context: Context, into effects: inout EffectBuffer
    ) -> [BeaconTracker.Effect] {
        let now = context.now
        let wanted = ScanDuty.duty(
            tripAge: movingSince.map { now - $0 }, hasBeaconRegions: hasRegions,
            isOn: context.options.beacons && isTracking)
        let hasChanged = wanted != duty
        duty = wanted
        if hasChanged { effects.append(.scan(duty)) }
        if duty == .full {
            effects.arm(.scan, at: (movingSince ?? now) + ScanDuty.fullAtStart)
        } else if hasChanged {
            effects.cancel(.scan)
        }
        return hasChanged ? tracker.handle(.scan(isListening ? duty : .off), at: now) : []
    }

    /// Notes whether the adapter listens: while it does not, no beacon is left for its silence.
    mutating func note(isListening: Bool, at now: Instant, into effects: inout EffectBuffer) -> [BeaconTracker.Effect] {
        guard isListening != self.isListening else { return [] }
        self.isListening = isListening
        effects.decide(
            .sensor, isListening ? "the Bluetooth adapter listens again" : "the Bluetooth adapter does not listen")
        return tracker.handle(.scan(isListening ? duty : .off), at: now)
    }

    /// Watches the beacons of these regions; call `rescan` afterwards.
    mutating func watch(_ regions: [Region]) {
        let beacons = Self.beaconRegions(regions)
        hasRegions = !beacons.isEmpty
        tracker.watch(beacons)
    }

    /// Begins to find out which vehicle it is, and who drives it.
    mutating func tripBegan(at now: Instant) { _ = detection.handle(.tripBegan, at: now) }

    /// Forgets vehicle and driver.
    mutating func tripEnded(at now: Instant) { _ = detection.handle(.tripEnded, at: now) }

    /// Takes over whether the adapter listens from a watcher that this one replaces.
    mutating func resume(from earlier: BeaconWatcher) { isListening = earlier.isListening }

    /// The regions that are watched by the signal of a beacon.
    private static func beaconRegions(_ regions: [Region]) -> [BeaconTracker.Region] {
        regions.compactMap { region in
            guard region.shape.trigger == .beacon, let beacon = region.shape.beacon else { return nil }
            return BeaconTracker.Region(id: region.id, beacon: beacon, rssiLimit: region.options.rssiLimit)
        }
    }

    /// What survives a restart: which vehicle it is, and who drives it.
    package struct Snapshot: Sendable, Hashable, Encodable {
        /// Which vehicle it is, and who drives it.
        package var names = VehicleIdentification.Names()

        package enum CodingKeys: String, CodingKey { case names }
    }

    /// What survives a restart.
    var snapshot: Snapshot { Snapshot(names: detection.names) }
}

extension BeaconWatcher.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) { fields.read(.names, into: &names) }

    /// The names of a state that was found late, unless beacons have named others since.
    func continued(by live: Self) -> Self { live.names == VehicleIdentification.Names() ? self : live }
}

/// How much the Bluetooth adapter listens for beacons.
package enum ScanDuty: Sendable, Hashable, CaseIterable {
    /// Not at all.
    case off
    /// Now and then.
    case low
    /// All the time.
    case full

    /// At the start of a trip the adapter listens all the time for so long: then it is decided which vehicle it is.
    package static let fullAtStart = Duration.seconds(60)

    /// How much to listen; `tripAge` is the time since the trip began, nothing while the vehicle is stationary.
    package static func duty(tripAge: Duration?, hasBeaconRegions: Bool, isOn: Bool) -> ScanDuty {
        guard isOn else { return .off }
        guard let tripAge else { return hasBeaconRegions ? .low : .off }
        return tripAge < fullAtStart ? .full : .low
    }

    /// For how long the adapter listens in each interval; nothing when it does not.
    package var window: Duration? {
        switch self {
        case .off: nil
        // The slowest common tags advertise once a second, so that one window hears each of them about once.
        case .low: .seconds(1)
        case .full: interval
        }
    }

    /// How often it begins to listen; nothing when it does not.
    package var interval: Duration? {
        switch self {
        case .off: nil
        // A controller counts up to 10.24 s by itself (Core Specification, LE Set Scan Parameters): the processor sleeps on.
        case .low: .seconds(10)
        // The channel changes with each interval; 100 ms is how often Apple wants an iBeacon to advertise.
        case .full: .milliseconds(100)
        }
    }
}
