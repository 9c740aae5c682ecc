/// What a component keeps over a restart; the keys of all snapshots differ.
protocol EngineSnapshot: Sendable, Hashable, Encodable {
    associatedtype CodingKeys: CodingKey
    /// The state of a tracker that has never run.
    init()
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>)
}

struct SnapshotReader<Key: CodingKey> {
    private let fields: KeyedDecodingContainer<Key>
    private(set) var unreadable: [String] = []

    init(_ fields: KeyedDecodingContainer<Key>) { self.fields = fields }

    /// The value does not change if the field is missing or unreadable.
    mutating func read<Value: Decodable>(_ key: Key, into value: inout Value) {
        do {
            value = try fields.decodeIfPresent(Value.self, forKey: key) ?? value
        } catch {
            unreadable.append(key.stringValue)
        }
    }
}
