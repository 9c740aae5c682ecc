// The parts of `Decodable`'s interface that read the tokens of `QuickDecoder`.

/// Decodes a single value.
struct TokenDecoder: Decoder, SingleValueDecodingContainer {
    private let document: Document
    private let index: Int

    init(_ document: Document, _ index: Int) {
        self.document = document
        self.index = index
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try ObjectDecoder<Key>(document, index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ListDecoder(document, index) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { document.isNull(index) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try document.decode(type, at: index) }

    func decode(_: Bool.Type) throws -> Bool { try document.bool(at: index) }
    func decode(_: String.Type) throws -> String { try document.string(at: index) }
    func decode(_: Double.Type) throws -> Double { try document.double(at: index) }
    func decode(_: Float.Type) throws -> Float { Float(try document.double(at: index)) }
    func decode(_: Int.Type) throws -> Int { try document.integer(Int.self, at: index) }
    func decode(_: Int64.Type) throws -> Int64 { try document.integer(Int64.self, at: index) }
    func decode(_: Int8.Type) throws -> Int8 { try document.integer(Int8.self, at: index) }
    func decode(_: Int16.Type) throws -> Int16 { try document.integer(Int16.self, at: index) }
    func decode(_: Int32.Type) throws -> Int32 { try document.integer(Int32.self, at: index) }
    func decode(_: UInt.Type) throws -> UInt { try document.integer(UInt.self, at: index) }
    func decode(_: UInt8.Type) throws -> UInt8 { try document.integer(UInt8.self, at: index) }
    func decode(_: UInt16.Type) throws -> UInt16 { try document.integer(UInt16.self, at: index) }
    func decode(_: UInt32.Type) throws -> UInt32 { try document.integer(UInt32.self, at: index) }
    func decode(_: UInt64.Type) throws -> UInt64 { try document.integer(UInt64.self, at: index) }
}

/// Decodes the members of an object.
struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let document: Document
    private let index: Int

    init(_ document: Document, _ index: Int) throws {
        guard document.tokens[index].kind == .object else { throw UnknownTextError() }
        self.document = document
        self.index = index
    }

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        var keys: [Key] = []
        var place = index + 1
        while place < document.tokens[index].next {
            if let name = try? document.string(at: place), let key = Key(stringValue: name) { keys.append(key) }
            place = document.tokens[place + 1].next
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { place(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try required(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try document.decode(type, at: try required(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let place = present(key) else { return nil }
        return try document.decode(type, at: place)
    }

    // These functions return the same values as the two generic functions, but need no decoder for the value.
    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try document.bool(at: try required(key)) }
    func decode(_: String.Type, forKey key: Key) throws -> String { try document.string(at: try required(key)) }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try document.double(at: try required(key)) }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try document.integer(Int.self, at: try required(key)) }
    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try present(key).map(document.bool) }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { try present(key).map(document.string) }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try present(key).map(document.double) }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try document.integer(Int.self, at: $0) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy _: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(try ObjectDecoder<NestedKey>(document, try required(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ListDecoder(document, try required(key))
    }

    func superDecoder() throws -> any Decoder { throw UnknownTextError() }

    func superDecoder(forKey key: Key) throws -> any Decoder { TokenDecoder(document, try required(key)) }

    private func required(_ key: Key) throws -> Int {
        guard let place = place(of: key) else { throw UnknownTextError() }
        return place
    }

    /// Returns the index of the token with a key's value; nil if the key is missing, or if the value is null.
    private func present(_ key: Key) -> Int? {
        place(of: key).flatMap { document.isNull($0) ? nil : $0 }
    }

    /// Returns the index of the token with a key's value; nil if the key is missing.
    private func place(of key: Key) -> Int? {
        var name = key.stringValue
        return name.withUTF8 { name in
            var place = index + 1
            let end = document.tokens[index].next
            while place < end {
                if isText(name, of: document.tokens[place]) { return place + 1 }
                place = document.tokens[place + 1].next
            }
            return nil
        }
    }

    private func isText(_ name: UnsafeBufferPointer<UInt8>, of token: Document.Token) -> Bool {
        guard token.end - token.start == name.count else { return false }
        for (offset, byte) in name.enumerated() where document.bytes[token.start + offset] != byte { return false }
        return true
    }
}

/// Decodes the elements of a list.
struct ListDecoder: UnkeyedDecodingContainer {
    private let document: Document
    private var place: Int
    private let end: Int
    private(set) var currentIndex = 0

    init(_ document: Document, _ index: Int) throws {
        guard document.tokens[index].kind == .list else { throw UnknownTextError() }
        self.document = document
        place = index + 1
        end = document.tokens[index].next
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { place >= end }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw UnknownTextError() }
        guard document.isNull(place) else { return false }
        _ = try next()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let index = try next()
        return try document.decode(type, at: index)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy _: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(try ObjectDecoder<NestedKey>(document, try next()))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ListDecoder(document, try next())
    }

    mutating func superDecoder() throws -> any Decoder { TokenDecoder(document, try next()) }

    private mutating func next() throws -> Int {
        guard !isAtEnd else { throw UnknownTextError() }
        defer {
            place = document.tokens[place].next
            currentIndex += 1
        }
        return place
    }
}
