/// A JSON value of any shape: for the user's own members, and for messages whose members depend on the options.
package enum JSONValue: Sendable, Hashable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Nil if the text is not JSON, has more than 512 levels of brackets, or a number beyond the range of `Double`.
    package init?(json: String) {
        let limits = JSONDocument.Limits(depth: 512, values: .max)
        guard let document = JSONDocument(Array(json.utf8), limits: limits) else { return nil }
        self.init(document.root)
    }

    /// Reads a value; a whole number becomes `integer`. Nil if a number is beyond the range of `Double`.
    package init?(_ view: JSONValueView) {
        if let text = view.string {
            self = .text(text)
        } else if let whole = view.integer {
            self = .integer(Int64(whole))
        } else if let number = view.double {
            self = .number(number)
        } else if let flag = view.bool {
            self = .flag(flag)
        } else if view.isNull {
            self = .null
        } else if let elements = view.elements {
            let list = elements.compactMap { JSONValue($0) }
            guard list.count == elements.count else { return nil }
            self = .list(list)
        } else if let pairs = view.members {
            let members = pairs.compactMap { key, value in JSONValue(value).map { (key, $0) } }
            guard members.count == pairs.count else { return nil }
            self = .object(Dictionary(members) { first, _ in first })
        } else {
            return nil
        }
    }

    /// The members of an object; nil for other values.
    package var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The value of a number; nil for other values.
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .flag, .text, .list, .object: nil
        }
    }

    /// The value as readable text; JSON for lists and objects, and empty for null.
    package var plainText: String {
        switch self {
        case .null: ""
        case .flag(let flag): flag ? "true" : "false"
        case .integer(let number): "\(number)"
        case .number(let number): DecimalText.shortest(number)
        case .text(let text): text
        case .list, .object: encoded.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    /// The value as JSON, the keys of its objects in the order of their bytes; nil if one of its numbers is not finite.
    package var encoded: [UInt8]? {
        var writer = JSONWriter(capacity: 256)
        do { try writer.write(self) } catch { return nil }
        return writer.bytes
    }
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue {
    /// Rounds the number to `decimals` decimals; null if it is unknown.
    package static func number(_ value: Double?, decimals: Int) -> JSONValue {
        value.map { .number($0.rounded(decimals: decimals)) } ?? .null
    }

    package static func integer(orNull number: (some BinaryInteger)?) -> JSONValue {
        number.map { .integer(Int64($0)) } ?? .null
    }

    package static func text(orNull text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }

    package static func flag(orNull flag: Bool?) -> JSONValue { flag.map(JSONValue.flag) ?? .null }

    /// Makes an object without the members that are null; readers interpret a missing member as an unknown value.
    package static func object(withoutNull members: [String: JSONValue]) -> JSONValue { .object(members.withoutNull) }
}

extension [String: JSONValue] {
    package var withoutNull: [String: JSONValue] { filter { $0.value != .null } }
}
