internal import JSON
internal import Quantities

/// The meaning of the server's answer for the records in the request.
package enum Verdict: Sendable, Hashable {
    /// The server has received the records.
    case delivered
    /// trackerd never sends the records to this target.
    ///
    /// Either the format of the target cannot express them, or the target needs only the last state and a newer
    /// position exists.
    case withheld
    /// trackerd ended the connection itself before it delivered the records; the server is not at fault.
    case postponed
    /// The network did not carry the records or the answer.
    ///
    /// For example, the name has no address, no server accepts the connection, or the connection breaks.
    case linkFailed(reason: String)
    /// No answer arrived in time.
    case timedOut(reason: String)
    /// The server did not accept the records, for a reason that may be temporary; `after` is the pause that the server
    /// requests.
    case retry(reason: String, after: Duration?)
    /// The server refuses these bytes, but may accept other bytes; the reason may quote the server.
    case refused(reason: String)
    /// The format cannot encode the records, so trackerd has not sent them.
    case unwritable(reason: String)
    /// The server rejects the user, or trackerd cannot read a secret of the target.
    case unauthorised(reason: String)

    /// The same verdict with the name of what was under way when the connection ended.
    func during(_ words: String) -> Verdict {
        switch self {
        case .linkFailed(let reason): .linkFailed(reason: "\(reason), during \(words)")
        case .timedOut(let reason): .timedOut(reason: "\(reason), after \(words)")
        case .retry(let reason, let after): .retry(reason: "\(reason), during \(words)", after: after)
        default: self
        }
    }

    /// The pause that the server requests; nil if it requests none.
    var requestedPause: Duration? { if case .retry(_, let after) = self { after } else { nil } }
}

/// A server's answer to an HTTP request.
package struct Reply: Sendable, Hashable {
    /// The status, such as 200.
    package let status: Int
    /// The media type; empty if the server did not state it.
    package let contentType: String
    /// The pause that the server requests; nil if it requests none.
    package let retryAfter: Duration?
    /// The address to which the server redirects; empty if the server does not redirect.
    package let location: String
    /// The body, 1 MiB at most.
    package let body: [UInt8]

    package init(
        status: Int, contentType: String = "", retryAfter: Duration? = nil, location: String = "", body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.retryAfter = retryAfter
        self.location = location
        self.body = body
    }

    /// The verdict on an answer, for formats whose servers answer a success with an empty body or with JSON.
    ///
    /// A success status is not enough, because captive portals, and servers that refuse a record, also send the status 200.
    package var verdict: Verdict { verdict { $0 } }

    /// Returns the verdict for a format that interprets successful answers differently: `rule` may change the meaning of the body.
    func verdict(_ rule: (AnswerBody) -> AnswerBody) -> Verdict {
        switch misconfiguration {
        case .plainToTLS:
            .retry(reason: "the server expects TLS on this port; write `https://` in `url`", after: nil)
        case .noCertificate:
            .retry(reason: "the server needs a client certificate; set `certificateFile` and `keyFile`", after: nil)
        case nil: verdictOnStatus(rule)
        }
    }

    /// Whether the body may contain orders; most servers send an empty body or an empty list.
    var mayContainOrders: Bool { body.count > 2 && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(body.first) }

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
            .unauthorised(
                reason: "the server or a firewall forbids this user to send here (status 403\(quotation))")
        case 405:
            .retry(
                reason: "the server accepts no uploads at this path (status 405\(quotation))\(RefusalHint.path)",
                after: retryAfter)
        // A server may answer 404 for the records of a vehicle that it does not know. If the path is wrong, the server refuses all
        // records.
        case 400, 404, 410, 413, 422:
            .refused(reason: "status \(status)\(quotation)\(RefusalHint(self).text)")
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

    /// The new address without query and fragment, because these may contain a secret.
    var shownLocation: String { String(location.prefix { $0 != "?" && $0 != "#" }).printable(limit: 300) }

    /// A mistake in the configuration that a server reports, in the words of nginx (ngx_http_special_response.c), Apache or Go.
    enum Misconfiguration {
        /// The server expects TLS on this port.
        case plainToTLS
        /// The server expects a client certificate.
        case noCertificate
    }

    /// The mistake that the answer reports; nil if the answer reports none.
    var misconfiguration: Misconfiguration? {
        guard status == 400 || status == 403 || status == 496 || status == 497, !body.isEmpty else { return nil }
        let text = String(decoding: body.prefix(800), as: UTF8.self).lowercased()
        if text.contains("plain http request was sent to https port")
            || text.contains("client sent an http request to an https server")
            || text.contains("speaking plain http to an ssl-enabled server port")
        {
            return .plainToTLS
        }
        return text.contains("no required ssl certificate was sent") ? .noCertificate : nil
    }

    /// The body without white space and byte order marks at its beginning; editors add such marks to scripts and pages.
    var content: ArraySlice<UInt8> { body.drop { $0 <= 32 || [0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) } }

    /// Whether the answer is a web page or a script for a browser, by its content or its type.
    ///
    /// The log-in page of a network has content, so an empty answer is no page.
    var isPage: Bool { isMarkup || !content.isEmpty && contentType.lowercased().contains("html") }

    /// Whether the content is a web page or a script for a browser, although many scripts state the type `text/html` for a text.
    var isMarkup: Bool {
        let content = content
        guard let first = content.first, ![UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) else { return false }
        guard first != UInt8(ascii: "<"), !contentType.lowercased().contains("script") else { return true }
        let text = String(decoding: content.prefix(2000).filter { $0 != 0 }, as: UTF8.self).lowercased()
        return ["<html", "<!doctype", "<script", ".location", "location.href", "location.replace(", "location.assign("]
            .contains { text.contains($0) }
    }

    /// Whether the body is empty or `null`: the answer of a small script that returns nothing.
    var isBlank: Bool { ["", "null"].contains(word) }

    /// Whether the body is the word OK, perhaps in quotes: the usual answer of a small script.
    fileprivate var isPlainOK: Bool { ["ok", "\"ok\""].contains(word) }

    /// The body in lower case if it is at most a few characters long; nil if it is longer.
    private var word: String? {
        let content = content
        guard content.count < 16 else { return nil }
        return String(decoding: content, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ").lowercased()
    }

    /// The beginning of the body in printable form; for a web page, the page's title.
    var excerpt: String {
        let text = String(decoding: body.prefix(800), as: UTF8.self)
        return (isPage ? Self.title(of: text) : text).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ").printable(limit: Self.longestExcerpt)
    }

    private var quotation: String { excerpt.isEmpty ? "" : ": \(excerpt)" }

    private static func title(of page: String) -> String {
        let text = page.lowercased()
        guard text.utf8.count == page.utf8.count, let start = text.firstRange(of: "<title>"),
            let end = text[start.upperBound...].firstRange(of: "</title>")
        else { return "" }
        return String(decoding: page.utf8[start.upperBound..<end.lowerBound], as: UTF8.self)
    }

    /// The maximum number of characters that a message quotes from a server's answer.
    fileprivate static let longestExcerpt = 200
}

/// The remedy for a refusal, found by the words of the answer or by its status.
struct RefusalHint {
    /// The hint, with `; ` in front; empty if there is no hint for this answer.
    let text: String

    init(_ reply: Reply) {
        let words = String(decoding: reply.body.prefix(2000), as: UTF8.self).lowercased()
        text =
            Self.hints.first { hint in hint.words.allSatisfy { words.contains($0) } }.map { "; \($0.remedy)" }
            ?? Self.usual(reply.status)
    }

    /// The remedy if the server has no resource at the address.
    static let path = "; check the path of `url`, such as `/pub` for an OwnTracks Recorder"

    private static func usual(_ status: Int) -> String {
        switch status {
        case 404, 410: path
        case 413: "; the request is larger than the server or its proxy allows: raise their limit, or lower `batchSize`"
        default: ""
        }
    }

    /// The hints for phrases that nginx uses in its answers.
    private static let hints: [(words: [String], remedy: String)] = [
        (["ssl certificate error"], "the server rejects the client certificate")
    ]
}

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
