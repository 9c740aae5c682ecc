internal import FoundationEssentials
internal import Quantities

/// What the body of an answer says whose status is a success.
enum AnswerBody: Sendable, Hashable {
    /// Nothing, a list, or an object that names no error: what servers of our formats answer.
    case expected
    /// The server names an error, in these words.
    case error(String)
    /// Something that no server of our formats answers.
    case strange(String)

    init(_ reply: Reply) {
        // The answers that nearly all servers give.
        if reply.status == 204 || reply.body == Self.emptyList {
            self = .expected
        } else if reply.body.allSatisfy({ [9, 10, 13, 32].contains($0) }) {
            self = reply.isPage ? .strange(Self.emptyPage) : .expected
        } else if let json = try? JSONDecoder().decode(Answer.self, from: Data(reply.body)) {
            self = AnswerBody(json, reply)
        } else {
            self = .strange(reply.isPage ? Self.page : Self.strangeness)
        }
    }

    private init(_ json: Answer, _ reply: Reply) {
        switch json {
        case .list: self = .expected
        case .object(let error): self = error.map { .error($0.isEmpty ? reply.words : $0) } ?? .expected
        case .other: self = .strange("\(Self.strangeness): \(reply.words)")
        }
    }

    private static let emptyList = Array("[]".utf8)
    private static let page = "a web page answers instead of the server, perhaps the log-in page of a network"
    private static let emptyPage =
        "an empty web page answers (text/html) instead of JSON, as the log-in page of a network may be"
    private static let strangeness = "the answer is not one that a server of this format gives"
}

/// A JSON value, as far as it tells success from error.
private enum Answer: Decodable {
    case list
    /// With the words of the error that it names; they are empty when it names one without words.
    case object(error: String?)
    /// A text, a number, true, false or null.
    case other

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            // Some servers wrap the error in a list.
            let first = list.isAtEnd ? nil : try? list.decode(Answer.self)
            if case .object(let error?) = first { self = .object(error: error) } else { self = .list }
        } else if let members = try? decoder.container(keyedBy: Key.self) {
            self = .object(error: Self.error(in: members))
        } else {
            self = .other
        }
    }

    private enum Key: String, CodingKey {
        case error, errors, message, ok, success, status, result
        case capitalisedError = "Error"
    }

    /// What `status` or `result` says of a failure.
    private static let failures = ["error", "fail", "failed", "failure"]

    private static func error(in members: KeyedDecodingContainer<Key>) -> String? {
        let isError =
            [Key.error, .capitalisedError, .errors].contains { names(an: $0, members) }
            || [Key.ok, .success].contains { (try? members.decode(Bool.self, forKey: $0)) == false }
            || [Key.status, .result].contains { text($0, members).map { failures.contains($0.lowercased()) } ?? false }
        guard isError else { return nil }
        let words = [Key.error, .capitalisedError, .message].compactMap { text($0, members) }.first { !$0.isEmpty }
        return (words ?? "").printable(limit: Reply.longestQuote)
    }

    /// Whether a member says that there was an error: it is there, and not null, false, 0, or empty.
    private static func names(an key: Key, _ members: KeyedDecodingContainer<Key>) -> Bool {
        guard members.contains(key), (try? members.decodeNil(forKey: key)) != true else { return false }
        if let flag = try? members.decode(Bool.self, forKey: key) { return flag }
        if let number = try? members.decode(Double.self, forKey: key) { return number != 0 }
        if let text = text(key, members) { return !text.isEmpty }
        if let list = try? members.nestedUnkeyedContainer(forKey: key) { return list.count != 0 }
        return true
    }

    private static func text(_ key: Key, _ members: KeyedDecodingContainer<Key>) -> String? {
        try? members.decode(String.self, forKey: key)
    }
}
