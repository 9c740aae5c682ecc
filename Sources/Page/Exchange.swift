// Page: the tracker's web page. The page runs in a separate process, which is an HTTP server and a client of the daemon's sockets.
// Start reading with `PageServer`. The access rules are pure values: `HostRule`, `OriginRule`, `Sessions` and `LoginDelay`.

import CMicrohttpd

struct Exchange: Hashable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    var method: String { Self.text(chttpd_method(handle)) ?? "" }
    /// The path without the query.
    var path: String { Self.text(chttpd_path(handle)) ?? "" }
    /// The address of the browser or its proxy; empty at a Unix socket.
    var peer: String {
        var bytes = [CChar](repeating: 0, count: 64)
        chttpd_peer(handle, &bytes, bytes.count)
        return Self.text(bytes) ?? ""
    }

    /// Nil if the body is longer than 64 KiB.
    var body: [UInt8]? {
        var count = 0
        guard let start = chttpd_body(handle, &count) else { return count == Int.max ? nil : [] }
        return UInt(bitPattern: count) == .max ? nil : Array(UnsafeBufferPointer(start: start, count: count))
    }

    func header(_ name: String) -> String? { Self.text(chttpd_request_header(handle, name)) }

    func argument(_ name: String) -> String? { Self.text(chttpd_argument(handle, name)) }

    /// A second answer has no effect.
    func answer(_ answer: Answer) {
        Self.withHeaders(answer.headers) { headers in
            chttpd_answer(
                handle, UInt32(answer.status), headers.baseAddress, headers.count, answer.body, answer.body.count)
        }
    }

    func stream(_ headers: [(String, String)]) {
        Self.withHeaders(headers) { headers in chttpd_stream(handle, headers.baseAddress, headers.count) }
    }

    /// False if the client reads too slowly, which ends the stream.
    func push(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return chttpd_push(handle, bytes, bytes.count)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

    private static func text(_ bytes: [CChar]) -> String? {
        bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    private static func withHeaders(
        _ headers: [(String, String)], _ body: (UnsafeBufferPointer<chttpd_header>) -> Void
    ) {
        // The pointers into this string, whose parts are separated by zero bytes, are valid only during the call.
        let text = headers.map { "\($0.0)\0\($0.1)\0" }.joined()
        text.withCString { start in
            var place = start
            let entries = headers.map { header in
                let name = place
                let value = name + header.0.utf8.count + 1
                place = value + header.1.utf8.count + 1
                return chttpd_header(name: name, value: value)
            }
            entries.withUnsafeBufferPointer(body)
        }
    }
}

struct Answer {
    var status: Int
    var headers: [(String, String)]
    var body: [UInt8]

    /// The header fields of every answer forbid caching, content from other servers, and embedding in other sites.
    static let guards: [(String, String)] = [
        (
            "Content-Security-Policy",
            """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
            manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'
            """
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("X-Frame-Options", "DENY"), ("Permissions-Policy", "geolocation=(), camera=(), microphone=()"),
    ]

    init(_ status: Int, type: String, _ body: [UInt8], headers: [(String, String)] = []) {
        self.status = status
        self.headers = Self.guards + [("Content-Type", type)] + headers
        self.body = body
    }

    static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> Answer {
        Answer(status, type: "application/json", Array(text.utf8), headers: headers)
    }

    /// In the form of the daemon's error replies; `text` must have neither quotes nor backslashes.
    static func failure(_ status: Int, _ text: String, headers: [(String, String)] = []) -> Answer {
        json(#"{"ok":false,"error":"\#(text)"}"#, status: status, headers: headers)
    }
}
