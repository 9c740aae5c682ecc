internal import FoundationEssentials
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

    /// Judges by the status alone; a success counts only when `isExpected`, since a captive portal says 200 as well.
    package func verdict(isExpected: Bool) -> Verdict {
        switch status {
        case 200...299:
            isExpected ? .delivered : .retry(reason: strangeness, after: nil)
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

    /// Whether the body is empty or one whole JSON value.
    package var isEmptyOrJSON: Bool {
        let isBlank = body.allSatisfy { [9, 10, 13, 32].contains($0) }
        return isBlank || (try? JSONDecoder().decode(AnyJSON.self, from: Data(body))) != nil
    }

    private var strangeness: String {
        let isPage = contentType.lowercased().contains("html") || body.first == UInt8(ascii: "<")
        return isPage
            ? "a web page answers instead of the server, perhaps the log-in page of a network"
            : "the answer is not one that a server of this format gives"
    }

    /// The first words of the body, made printable.
    private var words: String {
        let isText = !contentType.lowercased().contains("html") && body.first != UInt8(ascii: "<")
        guard isText else { return "" }
        return String(decoding: body.prefix(200), as: UTF8.self).split { $0.isWhitespace || $0.isNewline }
            .joined(separator: " ").printable()
    }
}

/// Any JSON value: the decoder has read all of it before it asks what to make of it.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {}
}
