internal import Quantities

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
    package var mayContainOrders: Bool {
        body.count > 2 && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(body.first)
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
    package var shownLocation: String { String(location.prefix { $0 != "?" && $0 != "#" }).printable(limit: 300) }

    /// A mistake in the configuration that a server reports, in the words of nginx (ngx_http_special_response.c), Apache or Go.
    package enum Misconfiguration {
        /// The server expects TLS on this port.
        case plainToTLS
        /// The server expects a client certificate.
        case noCertificate
    }

    /// The mistake that the answer reports; nil if the answer reports none.
    package var misconfiguration: Misconfiguration? {
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
    package var isPage: Bool { isMarkup || !content.isEmpty && contentType.lowercased().contains("html") }

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
    var isPlainOK: Bool { ["ok", "\"ok\""].contains(word) }

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
    static let longestExcerpt = 200
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
