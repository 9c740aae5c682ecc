import TrackingOptions
package import Motion
import Quantities

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
        package var complaint: String? {
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
