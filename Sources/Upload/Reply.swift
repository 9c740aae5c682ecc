internal import Quantities

/// A server's answer to an HTTP request.
package struct Reply: Sendable, Hashable {
    /// The status, such as 200.
    package let status: Int
    /// The media type, empty when the server did not say.
    package let contentType: String
    /// How long the server asks to be left alone.
    package let retryAfter: Duration?
    /// The body, 1 MiB at most.
    package let body: [UInt8]

    /// Makes an answer.
    package init(status: Int, contentType: String = "", retryAfter: Duration? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.retryAfter = retryAfter
        self.body = body
    }

    /// The verdict for a format whose servers answer a success with nothing or with JSON.
    ///
    /// A success by its status alone is not enough: a captive portal says 200 as well, and so do servers that refuse.
    package var verdict: Verdict {
        switch status {
        case 200...299:
            switch AnswerBody(self) {
            case .expected: .delivered
            case .error(let words): .refused(reason: "status \(status): \(words)")
            case .strange(let what): .retry(reason: what, after: nil)
            }
        case 300...399:
            .retry(
                reason: "the server points elsewhere (status \(status)); write the new address into `url`", after: nil)
        case 401, 403:
            .unauthorised(reason: "the server does not accept user and password (status \(status))")
        case 400, 413, 422:
            .refused(reason: "status \(status)\(words.isEmpty ? "" : ": \(words)")")
        case 429, 503:
            .retry(reason: "the server is too busy (status \(status))", after: retryAfter)
        default:
            .retry(reason: "the server answers with status \(status)", after: retryAfter)
        }
    }

    /// Whether the body is, or would be, a page for a browser.
    var isPage: Bool { contentType.lowercased().contains("html") || body.first == UInt8(ascii: "<") }

    /// The first words of the body, printable ones only; none of a page.
    var words: String {
        guard !isPage else { return "" }
        return String(decoding: body.prefix(800), as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ").printable(limit: Self.longestQuote)
    }

    /// The most characters of a server's answer that are quoted.
    static let longestQuote = 200
}
