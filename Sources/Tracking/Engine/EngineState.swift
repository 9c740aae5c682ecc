package import Motion
import Quantities
import TrackingOptions

/// What survives a restart: the snapshots of the components, side by side; written in one transaction with each record.
///
/// On disk all fields lie on one level, whichever component they belong to.
package struct EngineState: Sendable, Hashable {
    /// Whether the vehicle moves.
    package var isMoving = false
    /// Place, track, odometer and trips.
    package var logbook = Logbook.Snapshot()
    /// The receiver.
    package var receiver = ReceiverManager.Snapshot()
    /// The options that were set while the program ran.
    package var options = OptionsInForce.Snapshot()
    /// Whether somebody has switched tracking off.
    package var gate = TrackingGate.Snapshot()
    /// Regions and waypoints.
    package var regions = RegionWatcher.Snapshot()
    /// Vehicle and driver.
    package var beacons = BeaconWatcher.Snapshot()
    /// How the accelerometer is mounted, and the watch for a tow.
    package var safety = SafetyWatch.Snapshot()
    /// What the accelerometer feels while the vehicle stands.
    package var noise = NoiseFloor()

    /// Makes the state of a tracker that has never run.
    package init() {}

    private enum CodingKeys: String, CodingKey { case isMoving, noise }
}

extension EngineState: Codable {
    /// Writes all fields on one level.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(isMoving, forKey: .isMoving)
        try fields.encode(noise, forKey: .noise)
        try logbook.encode(to: encoder)
        try receiver.encode(to: encoder)
        try options.encode(to: encoder)
        try gate.encode(to: encoder)
        try regions.encode(to: encoder)
        try beacons.encode(to: encoder)
        try safety.encode(to: encoder)
    }

    /// Reads what it can of a state, as `Restored` does.
    package init(from decoder: any Decoder) throws { self = try Restored(from: decoder).state }

    /// A state as it was found on disk, field by field: what cannot be read begins anew, and the rest remains.
    package struct Restored: Sendable, Hashable, Decodable {
        /// What could be read; the defaults in place of what is missing or cannot be read.
        package private(set) var state = EngineState()
        /// The fields that are there and cannot be read.
        ///
        /// A missing field is not among them: the version that wrote the state did not know it.
        package private(set) var unreadable: [String] = []

        /// What is left of a text that is no state at all.
        package static let nothing = Restored(unreadable: ["all of it"])

        private init(unreadable: [String]) { self.unreadable = unreadable }

        /// Reads what it can; throws only if there are no fields.
        package init(from decoder: any Decoder) throws {
            var fields = SnapshotReader(try decoder.container(keyedBy: CodingKeys.self))
            fields.read(.isMoving, into: &state.isMoving)
            fields.read(.noise, into: &state.noise)
            unreadable = fields.unreadable
            state.logbook = try read(decoder)
            state.receiver = try read(decoder)
            state.options = try read(decoder)
            state.gate = try read(decoder)
            state.regions = try read(decoder)
            state.beacons = try read(decoder)
            state.safety = try read(decoder)
        }

        private mutating func read<Snapshot: EngineSnapshot>(_ decoder: any Decoder) throws -> Snapshot {
            var fields = SnapshotReader(try decoder.container(keyedBy: Snapshot.CodingKeys.self))
            var snapshot = Snapshot()
            snapshot.read(&fields)
            unreadable += fields.unreadable
            return snapshot
        }

        /// What the owner should know; nil if everything could be read.
        package var warning: String? {
            guard !unreadable.isEmpty else { return nil }
            return """
                queue: of the state before the start, this cannot be read and begins anew: \
                \(unreadable.joined(separator: ", ")). Look at `trackerd status`, and set again what it lacks.
                """
        }
    }
}

/// What survives a restart of one component; its keys are its own among those of all snapshots.
protocol EngineSnapshot: Sendable, Hashable, Encodable {
    associatedtype CodingKeys: CodingKey
    /// Makes the snapshot of a tracker that has never run.
    init()
    /// Reads what can be read, field by field.
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>)
}

/// Reads fields one by one, and remembers those that cannot be read.
struct SnapshotReader<Key: CodingKey> {
    private let fields: KeyedDecodingContainer<Key>
    private(set) var unreadable: [String] = []

    init(_ fields: KeyedDecodingContainer<Key>) { self.fields = fields }

    /// Leaves the value as it is when the field is missing or cannot be read.
    mutating func read<Value: Decodable>(_ key: Key, into value: inout Value) {
        do {
            value = try fields.decodeIfPresent(Value.self, forKey: key) ?? value
        } catch {
            unreadable.append(key.stringValue)
        }
    }
}

//  A program that starts while its disk is away begins without its state. When the disk comes back, the state of before the
//  start is found late, and the engine goes on from it: with the odometer, the trips and what an owner has set.

extension EngineState {
    /// This state, found late, after the engine has begun without it and come to `live`.
    ///
    /// What counts is added up; where the vehicle is now counts more than where it was, unless a trip was under way.
    ///
    /// `isOdometerSet`: somebody has set the odometer since the start, so that it is right as it is.
    func continued(by live: EngineState, isOdometerSet: Bool) -> EngineState {
        var state = self
        let isElsewhere = !isMoving && live.logbook.lastFix != nil
        state.logbook = logbook.continued(by: live.logbook, isElsewhere: isElsewhere, isOdometerSet: isOdometerSet)
        state.regions = regions.continued(by: live.regions, isElsewhere: isElsewhere)
        state.beacons = beacons.continued(by: live.beacons)
        state.options.layers = live.options.layers.completed(by: options.layers)
        state.gate.isSwitchedOff = gate.isSwitchedOff || live.gate.isSwitchedOff
        state.receiver.timeToFirstFix = receiver.timeToFirstFix ?? live.receiver.timeToFirstFix
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
    /// The record, with distance and trip counted on from a state that was found late.
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
