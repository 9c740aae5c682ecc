package import Motion
import Quantities
import TrackingOptions

/// What the engine keeps over a restart: the snapshots of all components. The store writes it in one transaction with
/// each record; when encoded, the fields of all components are on one level.
package struct EngineState: Sendable, Hashable {
    package var isMoving = false
    package var logbook = Logbook.Snapshot()
    package var receiver = ReceiverManager.Snapshot()
    package var options = Settings.Snapshot()
    package var gate = TrackingGate.Snapshot()
    package var privacy = PrivacyGate.Snapshot()
    package var regions = RegionWatcher.Snapshot()
    package var beacons = BeaconWatcher.Snapshot()
    package var safety = SafetyWatch.Snapshot()
    package var power = PowerManager.Snapshot()
    package var noise = NoiseFloor()

    package init() {}

    private enum CodingKeys: String, CodingKey { case isMoving, noise }
}

extension EngineState: Codable {
    package func encode(to encoder: any Encoder) throws {
        for component in Self.components { try component.snapshot(self).encode(to: encoder) }
    }

    package static let components = [
        Component("motion") { ["isMoving": $0.isMoving] },
        Component("noise") { ["noise": $0.noise] },
        Component("logbook", \.logbook),
        Component("receiver", \.receiver),
        Component("options", \.options),
        Component("gate", \.gate),
        Component("privacy", \.privacy),
        Component("regions", \.regions),
        Component("beacons", \.beacons),
        Component("safety", \.safety),
        Component("power", \.power),
    ]

    /// A part of the state that the store writes only if it has changed.
    package struct Component: Sendable {
        package let name: String
        /// Returns a value that is encoded as an object; the keys of all components differ.
        package let snapshot: @Sendable (EngineState) -> any Encodable
        package let isSame: @Sendable (EngineState, EngineState) -> Bool

        init(_ name: String, _ part: @escaping @Sendable (EngineState) -> some Encodable & Equatable & Sendable) {
            self.name = name
            snapshot = { part($0) }
            isSame = { part($0) == part($1) }
        }
    }

    package init(from decoder: any Decoder) throws { self = try Restored(from: decoder).state }

    /// A state from disk, decoded field by field; an unreadable field is reset, and the others remain.
    package struct Restored: Sendable, Hashable, Decodable {
        /// Missing and unreadable fields have their defaults.
        package private(set) var state = EngineState()
        /// The unreadable fields and components. A missing field, from an earlier version, is not among them.
        package var unreadable: [String] = []

        package static let nothing = Restored(unreadable: ["all of it"])

        private init(unreadable: [String]) { self.unreadable = unreadable }

        /// Throws only if the data are not an object with keys.
        package init(from decoder: any Decoder) throws {
            var fields = SnapshotReader(try decoder.container(keyedBy: CodingKeys.self))
            fields.read(.isMoving, into: &state.isMoving)
            fields.read(.noise, into: &state.noise)
            unreadable = fields.unreadable
            state.logbook = try read(decoder)
            state.receiver = try read(decoder)
            state.options = try read(decoder)
            state.gate = try read(decoder)
            state.privacy = try read(decoder)
            state.regions = try read(decoder)
            state.beacons = try read(decoder)
            state.safety = try read(decoder)
            state.power = try read(decoder)
        }

        private mutating func read<Snapshot: EngineSnapshot>(_ decoder: any Decoder) throws -> Snapshot {
            var fields = SnapshotReader(try decoder.container(keyedBy: Snapshot.CodingKeys.self))
            var snapshot = Snapshot()
            snapshot.read(&fields)
            unreadable += fields.unreadable
            return snapshot
        }

        /// Nil if everything was readable.
        package var warning: String? {
            guard !unreadable.isEmpty else { return nil }
            return """
                queue: these parts of the stored state are unreadable and were reset: \
                \(unreadable.joined(separator: ", ")). Check `trackerd status`, and set again what is missing.
                """
        }
    }
}

// If the disk is unavailable at the start, the program starts without its earlier state. Once the store finds that
// state, the engine continues with the odometer, trips and owner's settings in it.

extension EngineState {
    /// Merges this state, which the store found only after the start, with `live`, the state since the start. Counters
    /// are added, except an odometer that was set since the start (`isOdometerSet`): its present value stays. The former
    /// position of the vehicle stays if it was moving in the former state, or if the receiver has had no fix since the
    /// start; otherwise the present position replaces it.
    func continued(by live: EngineState, isOdometerSet: Bool) -> EngineState {
        var state = self
        let isElsewhere = !isMoving && live.logbook.lastFix != nil
        state.logbook = logbook.continued(by: live.logbook, isElsewhere: isElsewhere, isOdometerSet: isOdometerSet)
        state.regions = regions.continued(by: live.regions, isElsewhere: isElsewhere)
        state.beacons = beacons.continued(by: live.beacons)
        state.options.layers = live.options.layers.completed(by: options.layers)
        state.options.trial = live.options.trial ?? options.trial
        state.gate.isSwitchedOff = gate.isSwitchedOff || live.gate.isSwitchedOff
        state.receiver.timeToFirstFix = receiver.timeToFirstFix ?? live.receiver.timeToFirstFix
        state.power = power.continued(by: live.power)
        return state
    }
}

extension Logbook.Snapshot {
    func continued(by live: Self, isElsewhere: Bool, isOdometerSet: Bool) -> Self {
        var merged = self
        if live.lastFix != nil { merged.odometer = live.odometer }
        merged.odometer.set(
            to: isOdometerSet ? live.odometer.distance : odometer.distance + live.odometer.distance)
        merged.trips.countOn(by: live.trips.count)
        if isElsewhere {
            merged.parked = live.parked ?? parked
            merged.parkedSince = live.parkedSince ?? parkedSince
            merged.lastFix = live.lastFix
            merged.lastRecorded = live.lastRecorded ?? lastRecorded
        }
        merged.tag = live.tag ?? tag
        return merged
    }
}

extension Record {
    /// Adds the distance and the trips of `former`, which the store found only after the start.
    package func continued(from former: EngineState) -> Record {
        var record = self
        record.odometer = odometer + former.logbook.odometer.distance
        record.trip = trip.map { $0 + former.logbook.trips.count }
        if case .trip(var report) = content {
            report.number = report.number.map { $0 + former.logbook.trips.count }
            record.content = .trip(report)
        }
        return record
    }
}
