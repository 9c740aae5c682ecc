internal import Quantities

/// A server's answer to an HTTP request.
package struct Reply: Sendable, Hashable {
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

    /// Whether the body may contain orders; most servers send an empty body or an empty list.
    package var mayContainOrders: Bool {
        body.count > 2 && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(body.first)
    }

    /// The new address without query and fragment, because these may contain a secret.
    package var shownLocation: String { String(location.prefix { $0 != "?" && $0 != "#" }).printable(limit: 300) }

    /// A mistake in the configuration that a server reports, in the words of nginx (ngx_http_special_response.c), Apache or Go.
    package enum Misconfiguration {
        case plainToTLS
        case noCertificate
    }

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

    private static func title(of page: String) -> String {
        let text = page.lowercased()
        guard text.utf8.count == page.utf8.count, let start = text.firstRange(of: "<title>"),
            let end = text[start.upperBound...].firstRange(of: "</title>")
        else { return "" }
        return String(decoding: page.utf8[start.upperBound..<end.lowerBound], as: UTF8.self)
    }

    static let longestExcerpt = 200
}
