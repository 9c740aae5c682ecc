/// The members of a JSON object, in the text's order, each with its key and the text of its value.
///
/// The reader accepts only JSON without white space, in the form that `JSONEncoder` writes. A stored state has this form.
struct JSONMembers: Hashable {
    struct Member: Hashable {
        let key: ArraySlice<UInt8>
        let value: ArraySlice<UInt8>
    }

    private(set) var members: [Member] = []

    /// Splits an object; nil if the text is not an object.
    init?(_ text: [UInt8]) {
        guard text.count >= 2, text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}") else { return nil }
        var start = 1
        var colon: Int?
        var depth = 0
        var isInText = false
        var index = 1
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\\") where isInText: index += 1
            case UInt8(ascii: "\""): isInText.toggle()
            case _ where isInText: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ":") where depth == 0 && colon == nil: colon = index
            case UInt8(ascii: ",") where depth == 0, UInt8(ascii: "}") where depth == 0 && index == text.count - 1:
                if let at = colon {
                    members.append(Member(key: text[start..<at], value: text[(at + 1)..<index]))
                } else if index != start {
                    return nil
                }
                (start, colon) = (index + 1, nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
        guard depth == 0, !isInText else { return nil }
    }

    init(_ members: [Member]) { self.members = members }

    var text: [UInt8] {
        var text = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += member.key
            text.append(UInt8(ascii: ":"))
            text += member.value
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    subscript(key: ArraySlice<UInt8>) -> ArraySlice<UInt8>? { members.first { $0.key == key }?.value }
}
