internal import JSON
internal import Quantities

/// The meaning of the body of an answer with a success status.
enum AnswerBody: Sendable, Hashable {
    /// A usual answer of a server of the target's format: an empty body, `null`, the word OK, a list or an object.
    ///
    /// The object, or the first element of the list, reports no error. A body with the status 204 does not matter.
    case expected
    /// The server reports an error, with this text.
    case error(String)
    /// The body does not come from a server of the target's format, for this reason.
    case unexpected(String)

    init(_ reply: Reply) {
        // Nearly all servers send an answer that trackerd can interpret without a JSON decoder.
        if reply.status == 204 || reply.body == Self.emptyList || reply.isBlank || reply.isPlainOK {
            self = .expected
        } else if let json = JSONDocument(Array(reply.content), limits: .init(depth: 512, values: .max)) {
            self = AnswerBody(Answer(json.root), reply)
        } else {
            self = .unexpected(reply.isPage ? Self.page : Self.unknownAnswer + Self.remedy)
        }
    }

    private init(_ json: Answer, _ reply: Reply) {
        switch json {
        case .list: self = .expected
        case .object(let error): self = error.map { .error($0.isEmpty ? reply.excerpt : $0) } ?? .expected
        case .other: self = .unexpected("\(Self.unknownAnswer): \(reply.excerpt)\(Self.remedy)")
        }
    }

    private static let emptyList = Array("[]".utf8)
    private static let page = "the answer is a web page, perhaps the log-in page of a network" + remedy
    private static let unknownAnswer = "the answer does not come from a server of this format"
    private static let remedy = "; if your server answers like this, set `answer: any`"
}

/// Reads a JSON answer as far as necessary to distinguish success from error.
private enum Answer {
    case list
    /// An object with the text of its error; the text is empty for an error without a text, and nil if there is no error.
    case object(error: String?)
    /// A string, a number, true or false.
    case other

    init(_ value: JSONValueView) {
        if let list = value.elements {
            // Some servers wrap the error in a list.
            if case .object(let error?) = list.first.map(Answer.init) {
                self = .object(error: error)
            } else {
                self = .list
            }
        } else if value.isObject {
            self = .object(error: Self.error(in: value))
        } else {
            self = .other
        }
    }

    /// Values of `status` and `result` that mean a failure.
    private static let failures = ["error", "fail", "failed", "failure"]

    private static func error(in object: JSONValueView) -> String? {
        let errors = [object["error"], object["Error"], object["errors"]]
        let words = [object["status"], object["result"]].compactMap { $0?.string?.lowercased() }
        let isError =
            errors.contains { $0.map(isSet) ?? false } || object["ok"]?.bool == false
            || object["success"]?.bool == false
            || isUndone(object["done"]) || words.contains { failures.contains($0) }
        guard isError else { return nil }
        let texts = [object["error"], object["Error"], object["message"]].compactMap { $0?.string }
        return (texts.first { !$0.isEmpty } ?? "").printable(limit: Reply.longestExcerpt)
    }

    /// Returns whether PhoneTrack reports that it did not store the point.
    ///
    /// PhoneTrack answers 1 if it stored the point, 0 if the token is wrong, 2 if the quota is used up, and 3 if the session is
    /// locked.
    private static func isUndone(_ done: JSONValueView?) -> Bool {
        done?.bool.map { !$0 } ?? done?.integer.map { $0 != 1 } ?? false
    }

    /// Returns whether a member has a value other than null, false, 0, an empty text or an empty list.
    private static func isSet(_ value: JSONValueView) -> Bool {
        guard !value.isNull else { return false }
        return value.bool ?? value.double.map { $0 != 0 } ?? value.string.map { !$0.isEmpty }
            ?? value.elements.map { !$0.isEmpty } ?? true
    }
}
