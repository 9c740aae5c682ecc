import JSON

/// Encodes a value as JSON, with its members in the order of the code. Foundation's encoder boxes each value and sorts
/// the members, and took an eighth of the processor time of a moving tracker.
final class SnapshotEncoder: Encoder, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    fileprivate var writer = JSONWriter(capacity: 1024)
    /// True for each open object, false for each open list; the innermost is the last.
    private var open: [Bool] = []

    /// Throws an error if a number is not finite.
    static func text(of value: any Encodable) throws -> String {
        let encoder = SnapshotEncoder()
        try encoder.encode(value)
        return String(decoding: encoder.writer.bytes, as: UTF8.self)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.beginObject()
        open.append(true)
        return KeyedEncodingContainer(SnapshotContainer(encoder: self, depth: open.count))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.beginList()
        open.append(false)
        return SnapshotContainer<NoKey>(encoder: self, depth: open.count)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { writer.writeNull() }
    func encode(_ value: Bool) { writer.write(value) }
    func encode(_ value: String) { writer.write(value) }
    func encode(_ value: Double) throws { try writer.write(.number(value)) }
    func encode(_ value: Float) throws { try encode(Double(value)) }
    func encode(_ value: some FixedWidthInteger & Encodable) {
        // The lower word of a `Duration` may be above the largest `Int64`.
        if let number = Int64(exactly: value) { writer.write(number) } else { writer.write(UInt64(value)) }
    }

    func encode(_ value: some Encodable) throws {
        let depth = open.count
        try value.encode(to: self)
        close(to: depth)
    }

    /// Ends the containers inside the one that is `depth` deep.
    fileprivate func close(to depth: Int) {
        while open.count > depth { if open.removeLast() { writer.endObject() } else { writer.endList() } }
    }
}

private struct SnapshotContainer<Key: CodingKey>: KeyedEncodingContainerProtocol, UnkeyedEncodingContainer {
    let encoder: SnapshotEncoder
    let depth: Int
    var count = 0
    var codingPath: [any CodingKey] { [] }

    /// Ends the former member, and writes the key of the next.
    mutating func next(_ key: Key? = nil) -> SnapshotEncoder {
        encoder.close(to: depth)
        if let key { encoder.writer.write(key: JSONKey(key.stringValue)) }
        count += 1
        return encoder
    }

    mutating func encodeNil() { next().encodeNil() }
    mutating func encode(_ value: some Encodable) throws { try next().encode(value) }
    mutating func nestedContainer<Inner>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }

    mutating func encodeNil(forKey key: Key) { next(key).encodeNil() }
    mutating func encode(_ value: some Encodable, forKey key: Key) throws { try next(key).encode(value) }
    mutating func nestedContainer<Inner>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
        next(key).container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        next(key).unkeyedContainer()
    }
    mutating func superEncoder(forKey key: Key) -> any Encoder { next(key) }
}

private enum NoKey: CodingKey {}
