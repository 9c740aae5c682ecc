import TrackingOptions
import Quantities

/// Listens for beacons: those of regions, the vehicle's own, and the driver's.
package struct BeaconWatcher: Sendable {
    private var tracker: BeaconTracker
    private var detection: VehicleDetection
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
        detection = VehicleDetection(
            configuration.markedBeacons, restoring: snapshot.names, isOnTrip: isOnTrip)
    }

    /// Vehicle and driver, as far as beacons have named them.
    var names: VehicleDetection.Names { detection.names }

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
            return BeaconTracker.Region(id: region.id, beacon: beacon, rssiLimit: region.wishes.rssiLimit)
        }
    }

    /// What survives a restart: which vehicle it is, and who drives it.
    package struct Snapshot: Sendable, Hashable, Encodable {
        /// Which vehicle it is, and who drives it.
        package var names = VehicleDetection.Names()

        package enum CodingKeys: String, CodingKey { case names }
    }

    /// What survives a restart.
    var snapshot: Snapshot { Snapshot(names: detection.names) }
}

extension BeaconWatcher.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) { fields.read(.names, into: &names) }

    /// The names of a state that was found late, unless beacons have named others since.
    func continued(by live: Self) -> Self { live.names == VehicleDetection.Names() ? self : live }
}
