internal import Quantities

package struct Reply: Sendable, Hashable {
    package let status: Int
    /// Empty if not stated.
    package let contentType: String
    package let retryAfter: Duration?
    package let location: String
    /// 1 MiB at most.
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

    /// False for an empty body or list, which most servers send.
    package var mayContainOrders: Bool {
        body.count > 2 && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(body.first)
    }

    /// The address without query and fragment, which may contain a secret.
    package var shownLocation: String { String(location.prefix { $0 != "?" && $0 != "#" }).printable(limit: 300) }

    /// The mistake as nginx (ngx_http_special_response.c), Apache or Go describe it.
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

    /// The body without white space and byte order marks at its beginning, which editors add.
    var content: ArraySlice<UInt8> { body.drop { $0 <= 32 || [0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) } }

    /// True if the content or the type shows a web page. A log-in page has content, so an empty answer is not one.
    package var isPage: Bool { isMarkup || !content.isEmpty && contentType.lowercased().contains("html") }

    /// True if the content is a web page; the type is unreliable, because many scripts state `text/html` for plain text.
    var isMarkup: Bool {
        let content = content
        guard let first = content.first, ![UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) else { return false }
        guard first != UInt8(ascii: "<"), !contentType.lowercased().contains("script") else { return true }
        let text = String(decoding: content.prefix(2000).filter { $0 != 0 }, as: UTF8.self).lowercased()
        return ["<html", "<!doctype", "<script", ".location", "location.href", "location.replace(", "location.assign("]
            .contains { text.contains($0) }
    }

    var isBlank: Bool { ["", "null"].contains(word) }

    var isPlainOK: Bool { ["ok", "\"ok\""].contains(word) }

    /// The content in lower case, with single spaces; nil if it has more than 15 bytes.
    private var word: String? {
        let content = content
        guard content.count < 16 else { return nil }
        return String(decoding: content, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ").lowercased()
    }

    /// The beginning of the text; for a web page, its title.
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
