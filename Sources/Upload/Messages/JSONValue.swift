internal import FoundationEssentials

/// A JSON value of any shape: for the user's own members, and for messages whose members depend on the options.
package enum JSONValue: Sendable, Hashable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads JSON; nil if the text is not JSON.
    package init?(json: String) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) else { return nil }
        self = value
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
        case .list, .object: JSONBytes.encode(self).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}

extension JSONValue: Codable {
    /// Reads a value; a whole number becomes `integer`.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

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
    /// Makes a number with at most this number of decimals; null if the number is unknown.
    static func number(_ value: Double?, decimals: Int) -> JSONValue {
        value.map { .number($0.rounded(decimals: decimals)) } ?? .null
    }

    /// Makes a text; null if the text is unknown.
    static func text(orNull text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }

    /// Makes a flag; null if the flag is unknown.
    static func flag(orNull flag: Bool?) -> JSONValue { flag.map(JSONValue.flag) ?? .null }
}

extension [String: JSONValue] {
    /// The members that are not null; readers interpret a missing member as an unknown value.
    var withoutNull: [String: JSONValue] { filter { $0.value != .null } }
}

/// Writes decimal numbers without an exponent.
enum DecimalText {
    /// Returns the number with exactly this number of decimals, 0 to 9; empty if it is not finite or too large.
    static func fixed(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        guard let scaled = Int64(exactly: (value * Double(scale)).rounded()) else { return "" }
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let digits = "\(rest)"
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
    }

    /// Returns the number with at most nine decimals, without zeros at the end.
    static func shortest(_ value: Double) -> String {
        var text = fixed(value, decimals: 9)
        guard text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}
