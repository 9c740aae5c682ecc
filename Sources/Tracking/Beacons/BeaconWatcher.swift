import Quantities
import TrackingOptions

package struct BeaconWatcher: Sendable {
    private var tracker: BeaconTracker
    private var detection: VehicleIdentification
    private var duty = ScanDuty.off
    private var isListening = true
    private var hasRegions: Bool

    init(
        _ marked: [MarkedBeacon], _ regions: [Region], exitDelay: Duration, inside: [String],
        isOnTrip: Bool, restoring snapshot: Snapshot
    ) {
        let beacons = Self.beaconRegions(regions)
        tracker = BeaconTracker(beacons, exitDelay: exitDelay, inside: inside)
        hasRegions = !beacons.isEmpty
        detection = VehicleIdentification(marked, restoring: snapshot.names, isOnTrip: isOnTrip)
    }

    var names: VehicleIdentification.Names { detection.names }

    func driver(at now: Instant) -> DriverWitness {
        isListening && (duty != .off || !detection.isOnTrip) ? detection.driver(at: now) : .none
    }

    var isAnyConfigured: Bool { hasRegions || detection.hasBeacons }

    func reading(of id: String, at now: Instant) -> BeaconReading? { tracker.signal(of: id)?.reading(at: now) }

    mutating func follow(exitDelay: Duration, at now: Instant) -> [BeaconTracker.Effect] {
        tracker.follow(exitDelay: exitDelay, at: now)
    }

    mutating func hear(
        _ sighting: BeaconSighting, at now: Instant, into effects: inout EffectBuffer
    ) -> [BeaconTracker.Effect] {
        if detection.handle(.sighting(sighting), at: now) {
            let names = [names.vehicle.map { "vehicle \($0)" }, names.driver.map { "driver \($0)" }]
            effects.decide(.beacon, names.compactMap { $0 }.joined(separator: ", "))
        }
        return tracker.handle(.sighting(sighting), at: now)
    }

    mutating func timer(at now: Instant) -> [BeaconTracker.Effect] { tracker.handle(.timer, at: now) }

    /// The duty is continuous at the start of a trip, and low later in it. While the vehicle is parked, the duty is low
    /// if a watched region depends on a beacon, and otherwise off. If `isOn` is false, it is always off.
    mutating func rescan(movingSince: Instant?, isOn: Bool, in turn: inout Turn) -> [BeaconTracker.Effect] {
        let now = turn.now
        let wanted = ScanDuty.duty(
            tripAge: movingSince.map { now - $0 }, hasBeaconRegions: hasRegions,
            isOn: isOn)
        let hasChanged = wanted != duty
        duty = wanted
        if hasChanged { turn.effects.append(.scan(duty)) }
        if duty == .full {
            turn.effects.arm(.scan, at: (movingSince ?? now) + ScanDuty.fullAtStart)
        } else if hasChanged {
            turn.effects.cancel(.scan)
        }
        return hasChanged ? tracker.handle(.scan(isListening ? duty : .off), at: now) : []
    }

    mutating func note(isListening: Bool, at now: Instant, into effects: inout EffectBuffer) -> [BeaconTracker.Effect] {
        guard isListening != self.isListening else { return [] }
        self.isListening = isListening
        effects.decide(
            .sensor, isListening ? "the Bluetooth adapter scans again" : "the Bluetooth adapter does not scan")
        return tracker.handle(.scan(isListening ? duty : .off), at: now)
    }

    /// Call `rescan` afterwards.
    mutating func watch(_ regions: [Region]) {
        let beacons = Self.beaconRegions(regions)
        hasRegions = !beacons.isEmpty
        tracker.watch(beacons)
    }

    /// The names of the present trip remain.
    mutating func identify(_ marked: [MarkedBeacon], isOnTrip: Bool) {
        detection = VehicleIdentification(marked, restoring: detection.names, isOnTrip: isOnTrip)
    }

    mutating func tripBegan(at now: Instant) { _ = detection.handle(.tripBegan, at: now) }

    mutating func tripEnded(at now: Instant) { _ = detection.handle(.tripEnded, at: now) }

    mutating func resume(from earlier: BeaconWatcher) { isListening = earlier.isListening }

    private static func beaconRegions(_ regions: [Region]) -> [BeaconTracker.Region] {
        regions.compactMap { region in
            guard region.shape.trigger == .beacon, let beacon = region.shape.beacon else { return nil }
            return BeaconTracker.Region(id: region.id, beacon: beacon, rssiLimit: region.options.rssiLimit)
        }
    }

    package struct Snapshot: Sendable, Hashable, Encodable {
        package var names = VehicleIdentification.Names()

        package enum CodingKeys: String, CodingKey { case names }
    }

    var snapshot: Snapshot { Snapshot(names: detection.names) }
}

extension BeaconWatcher.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) { fields.read(.names, into: &names) }

    /// The names of `live` replace these if beacons have identified the vehicle or driver since the start.
    func continued(by live: Self) -> Self { live.names == VehicleIdentification.Names() ? self : live }
}
