// The parts of `Encodable`'s interface that fill the nodes of `QuickEncoder`.

struct NodeEncoder: Encoder, SingleValueEncodingContainer {
    private let node: Node
    private let text: Text

    init(_ node: Node, _ text: Text) {
        self.node = node
        self.text = text
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ObjectEncoder(node, text))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ListEncoder(node, text) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { node.content = .scalar(text.append(literally: "null")) }

    func encode(_ value: some Encodable) throws {
        if let range = try text.append(scalar: value) {
            node.content = .scalar(range)
        } else {
            try value.encode(to: self)
        }
    }
}

struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let node: Node
    private let text: Text

    init(_ node: Node, _ text: Text) {
        node.content = .object
        // Most objects of a record have at most 16 members.
        node.members.reserveCapacity(16)
        self.node = node
        self.text = text
    }

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { add(key) { .scalar(text.append(literally: "null")) } }

    func encode(_ value: Bool, forKey key: Key) {
        add(key) { .scalar(text.append(literally: value ? "true" : "false")) }
    }
    func encode(_ value: String, forKey key: Key) { add(key) { .scalar(text.append(value)) } }
    func encode(_ value: Double, forKey key: Key) throws { try add(key) { .scalar(try text.append(value)) } }
    func encode(_ value: Int, forKey key: Key) { add(key) { .scalar(text.append(Int64(value))) } }
    func encode(_ value: Int64, forKey key: Key) { add(key) { .scalar(text.append(value)) } }

    func encode(_ value: some Encodable, forKey key: Key) throws { try add(key) { try text.part(value) } }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy _: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(ObjectEncoder<NestedKey>(child(key), text))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { ListEncoder(child(key), text) }

    func superEncoder() -> any Encoder {
        let nested = Node()
        node.members.append(Node.Member(key: "super", keyText: text.append(key: "super"), part: .node(nested)))
        return NodeEncoder(nested, text)
    }

    func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(child(key), text) }

    private func child(_ key: Key) -> Node {
        let nested = Node()
        add(key) { .node(nested) }
        return nested
    }

    private func add(_ key: Key, _ part: () throws -> Node.Part) rethrows {
        let name = key.stringValue
        let keyText = text.append(key: name)
        node.members.append(Node.Member(key: name, keyText: keyText, part: try part()))
    }
}

struct ListEncoder: UnkeyedEncodingContainer {
    private let node: Node
    private let text: Text

    init(_ node: Node, _ text: Text) {
        node.content = .list
        self.node = node
        self.text = text
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int { node.parts.count }

    func encodeNil() { node.parts.append(.scalar(text.append(literally: "null"))) }

    func encode(_ value: some Encodable) throws { node.parts.append(try text.part(value)) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy _: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(ObjectEncoder<NestedKey>(child(), text))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { ListEncoder(child(), text) }

    func superEncoder() -> any Encoder { NodeEncoder(child(), text) }

    private func child() -> Node {
        let nested = Node()
        node.parts.append(.node(nested))
        return nested
    }
}

extension Text {
    /// Encodes a value as a scalar, or as a node if the value is not a scalar.
    func part(_ value: some Encodable) throws -> Node.Part {
        if let range = try append(scalar: value) { return .scalar(range) }
        let node = Node()
        try value.encode(to: NodeEncoder(node, self))
        return .node(node)
    }

    /// Appends a scalar and returns its range; returns nil if the value is not a scalar.
    func append<Value: Encodable>(scalar value: Value) throws -> Range<Int>? {
        // A comparison of types is much faster than a failing cast.
        if Value.self == String.self, let value = value as? String { return append(value) }
        if Value.self == Double.self, let value = value as? Double { return try append(value) }
        if Value.self == Bool.self, let value = value as? Bool { return append(literally: value ? "true" : "false") }
        if Value.self == Float.self, let value = value as? Float { return try append(value) }
        guard let value = value as? any FixedWidthInteger else { return nil }
        return append(literally: "\(value)")
    }
}
