internal import JSON
internal import Quantities

extension Reply {
    /// The verdict for servers that answer with an empty body or JSON. The status is not enough, because captive
    /// portals, and servers that refuse a record, send 200 too.
    package var verdict: Verdict { verdict { $0 } }

    /// `rule` may change the meaning of a body with a success status.
    func verdict(_ rule: (AnswerBody) -> AnswerBody) -> Verdict {
        switch misconfiguration {
        case .plainToTLS:
            .retry(reason: "the server expects TLS on this port; write `https://` in `url`", after: nil)
        case .noCertificate:
            .retry(reason: "the server needs a client certificate; set `certificateFile` and `keyFile`", after: nil)
        case nil: verdictOnStatus(rule)
        }
    }

    private func verdictOnStatus(_ rule: (AnswerBody) -> AnswerBody) -> Verdict {
        switch status {
        case 200...299:
            switch rule(AnswerBody(self)) {
            case .expected: .delivered
            case .error(let text): .refused(reason: "status \(status): \(text)")
            case .unexpected(let what): .retry(reason: what, after: nil)
            }
        case 300...399:
            .retry(reason: redirection, after: nil)
        case 401:
            .unauthorised(reason: "the server rejects the credentials (status 401\(quotation))")
        case 403:
            .unauthorised(reason: "the server or a firewall forbids this user to send here (status 403\(quotation))")
        case 405:
            .retry(
                reason: "the server accepts no uploads at this path (status 405\(quotation))\(Self.pathHint)",
                after: retryAfter)
        // A server may answer 404 for the records of a vehicle that it does not know; with a wrong path it refuses all.
        case 400, 404, 410, 413, 422:
            .refused(reason: "status \(status)\(quotation)\(hint)")
        case 429, 503:
            .retry(reason: "the server is too busy (status \(status)\(quotation))", after: retryAfter)
        default:
            .retry(reason: "the server answers with status \(status)\(quotation)", after: retryAfter)
        }
    }

    private var redirection: String {
        location.isEmpty
            ? "the server redirects (status \(status)) but states no address"
            : "the server redirects to \(shownLocation) (status \(status)); write that address into `url`"
    }

    private var quotation: String { excerpt.isEmpty ? "" : ": \(excerpt)" }

    /// The hint for nginx' phrase in the answer, or for the status; empty if there is none.
    private var hint: String {
        let words = String(decoding: body.prefix(2000), as: UTF8.self).lowercased()
        if words.contains("ssl certificate error") { return "; the server rejects the client certificate" }
        return switch status {
        case 404, 410: Self.pathHint
        case 413: "; the request is larger than the server or its proxy allows: raise their limit, or lower `batchSize`"
        default: ""
        }
    }

    private static let pathHint = "; check the path of `url`, such as `/pub` for an OwnTracks Recorder"
}

/// The meaning of a body with a success status.
enum AnswerBody: Sendable, Hashable {
    /// Empty, `null`, OK, a list or an object without an error; with 204 the body does not matter.
    case expected
    case error(String)
    case unexpected(String)

    init(_ reply: Reply) {
        // Nearly all servers send an answer that trackerd can interpret without a JSON decoder.
        if reply.status == 204 || reply.body == Self.emptyList || reply.isBlank || reply.isPlainOK {
            self = .expected
        } else if let json = JSONDocument(Array(reply.content), limits: .init(depth: 512, values: .max)) {
            self = AnswerBody(json.root, reply)
        } else {
            self = .unexpected(reply.isPage ? Self.page : Self.unknownAnswer + Self.remedy)
        }
    }

    private init(_ value: JSONValueView, _ reply: Reply) {
        if let error = Self.error(in: value) {
            self = .error(error.isEmpty ? reply.excerpt : error)
        } else {
            let isKnown = value.isObject || value.elements != nil
            self = isKnown ? .expected : .unexpected("\(Self.unknownAnswer): \(reply.excerpt)\(Self.remedy)")
        }
    }

    private static let emptyList = Array("[]".utf8)
    private static let page = "the answer is a web page, perhaps the log-in page of a network" + remedy
    private static let unknownAnswer = "the answer does not come from a server of this format"
    private static let remedy = "; if your server answers like this, set `answer: any`"

    private static let failures = ["error", "fail", "failed", "failure"]

    /// Nil if there is no error, and empty if the error has no text. Some servers wrap the error in a list.
    private static func error(in object: JSONValueView) -> String? {
        if let list = object.elements { return list.first.flatMap(error) }
        guard object.isObject else { return nil }
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

    /// PhoneTrack's numbers: 1 is stored, 0 a wrong token, 2 a used-up quota, 3 a locked session.
    private static func isUndone(_ done: JSONValueView?) -> Bool {
        done?.bool.map { !$0 } ?? done?.integer.map { $0 != 1 } ?? false
    }

    /// Returns whether the value is neither null, false, 0, an empty text nor an empty list.
    private static func isSet(_ value: JSONValueView) -> Bool {
        guard !value.isNull else { return false }
        return value.bool ?? value.double.map { $0 != 0 } ?? value.string.map { !$0.isEmpty }
            ?? value.elements.map { !$0.isEmpty } ?? true
    }
}
