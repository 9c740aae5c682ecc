internal import JSON

/// `Source` is what the object describes.
struct JSONMember<Source>: Sendable {
    enum Value {
        case text(String)
        case flag(Bool)
        case integer(Int64)
        case number(Double, decimals: Int)
        case json(JSONValue)

        init?(_ text: String?) {
            guard let text else { return nil }
            self = .text(text)
        }

        init?(_ number: Int?) {
            guard let number else { return nil }
            self = .integer(Int64(number))
        }

        init?(_ flag: Bool?) {
            guard let flag else { return nil }
            self = .flag(flag)
        }
    }

    let key: JSONKey
    /// Nil if the object does not have the member.
    let value: @Sendable (Source) -> Value?

    init(_ key: JSONKey, _ value: @escaping @Sendable (Source) -> Value?) {
        (self.key, self.value) = (key, value)
    }
}

extension JSONWriter {
    /// The members must be in the order of their keys; throws if a number is not finite.
    mutating func write<Source>(_ members: [JSONMember<Source>], of source: Source) throws {
        beginObject()
        for member in members {
            guard let value = member.value(source) else { continue }
            write(key: member.key)
            switch value {
            case .text(let text): write(text)
            case .flag(let flag): write(flag)
            case .integer(let number): write(number)
            case .number(let number, let decimals): try write(number, decimals: decimals)
            case .json(let value): try write(value)
            }
        }
        endObject()
    }
}
