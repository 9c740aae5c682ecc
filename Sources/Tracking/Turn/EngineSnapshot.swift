/// Over a restart; its keys are unique among all snapshots.
protocol EngineSnapshot: Sendable, Hashable, Encodable {
    associatedtype CodingKeys: CodingKey
    /// Of a tracker that has never run.
    init()
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>)
}

/// One by one, collecting the unreadable ones.
struct SnapshotReader<Key: CodingKey> {
    private let fields: KeyedDecodingContainer<Key>
    private(set) var unreadable: [String] = []

    init(_ fields: KeyedDecodingContainer<Key>) { self.fields = fields }

    /// Unchanged if the field is missing or unreadable.
    mutating func read<Value: Decodable>(_ key: Key, into value: inout Value) {
        do {
            value = try fields.decodeIfPresent(Value.self, forKey: key) ?? value
        } catch {
            unreadable.append(key.stringValue)
        }
    }
}
