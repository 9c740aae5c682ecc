internal import CCurl
internal import Formats
internal import Quantities

/// Makes one request at a time over a persistent connection, without blocking. It uses TLS 1.2 or newer, and accepts
/// answers of up to `longestAnswer` bytes. It follows no redirects, so that no other server gets a secret.
final class HTTPClient {
    struct Request {
        let url: String
        let access: TargetAccess
        let proxy: ProxyAddress?
        var headers: [WirePayload.Header] = []
        /// Nil for a GET.
        var body: [UInt8]?
        let timeouts: TransportTimeouts
    }

    enum Failure: Error {
        case noName
        case noConnection
        case timedOut
        case distrusted(String)
        case certificateUnusable(String)
        case answerTooLong
        case headTooLong
        case broken(String)
    }

    private var client: OpaquePointer?
    /// True if the last request was answered, so that the connection is probably open.
    private var isOpen = false

    static let longestAnswer = 1 << 20
    private static let shortestWait_ms = 50
    private static let longestWait_ms = 60_000

    init(longestAnswer: Int = HTTPClient.longestAnswer) { client = ccurl_open(longestAnswer) }

    deinit { ccurl_close(client) }

    /// The client must not be used afterwards.
    func close() {
        ccurl_close(client)
        client = nil
    }

    var watches: [Watch] {
        var sockets = [ccurl_socket](repeating: ccurl_socket(), count: 8)
        let count = Int(ccurl_watched(client, &sockets, Int32(sockets.count)))
        return sockets.prefix(count).map { Watch(descriptor: $0.fd, reads: $0.reads, writes: $0.writes) }
    }

    /// The time until libcurl needs the next call.
    var wait_ms: Int {
        let wanted = ccurl_timeout_ms(client)
        if (0...Self.shortestWait_ms).contains(wanted) { return wanted }
        // Without a socket, libcurl does work that `poll` cannot observe; its manual then recommends another call soon.
        let longest = watches.isEmpty ? Self.shortestWait_ms : Self.longestWait_ms
        return wanted < 0 ? longest : min(wanted, longest)
    }

    func start(_ request: Request) throws(SecretError) -> Bool {
        guard client != nil, ccurl_begin(client, request.url) else { return false }
        guard try identify(request.access), trust(request) else { return false }
        for header in request.headers {
            guard ccurl_header(client, "\(header.name): \(header.value)") else { return false }
        }
        let connect_ms = Int(request.timeouts.connect.inSeconds * 1000)
        let total_ms = (isOpen ? 0 : connect_ms) + Int(request.timeouts.answer.inSeconds * 1000)
        guard let body = request.body else { return ccurl_get(client, connect_ms, total_ms) }
        return ccurl_post(client, body, body.count, connect_ms, total_ms)
    }

    /// Continues the request without waiting, and returns whether it is over.
    func advance() -> Bool { ccurl_advance(client) }

    var offersCompression: Bool { ccurl_offers_gzip(client) }

    var wasConnected: Bool { ccurl_was_connected(client) }

    /// The entity tag (RFC 9110, section 8.8.3); empty if there is none, or if it has more than 512 bytes.
    var entityTag: String { String(cString: ccurl_entity_tag(client)) }

    func reply() -> Result<Reply, Failure> {
        isOpen = ccurl_outcome(client) == CCURL_ANSWERED
        return switch ccurl_outcome(client) {
        case CCURL_ANSWERED: .success(answer)
        case CCURL_NO_NAME: .failure(.noName)
        case CCURL_NO_CONNECTION: .failure(.noConnection)
        case CCURL_TIMED_OUT: .failure(.timedOut)
        case CCURL_TOO_LONG: .failure(.answerTooLong)
        case CCURL_HEAD_TOO_LONG: .failure(.headTooLong)
        case CCURL_DISTRUSTED: .failure(.distrusted(errorText))
        case CCURL_CERTIFICATE_UNUSABLE: .failure(.certificateUnusable(errorText))
        default: .failure(.broken(errorText))
        }
    }

    private var errorText: String { String(cString: ccurl_words(client)) }

    private var answer: Reply {
        var count = 0
        let body = ccurl_body(client, &count)
        let seconds = ccurl_retry_after_s(client)
        return Reply(
            status: ccurl_status(client), contentType: String(cString: ccurl_content_type(client)),
            retryAfter: seconds > 0 ? .seconds(seconds) : nil, location: String(cString: ccurl_redirect(client)),
            body: Array(UnsafeBufferPointer(start: body, count: count)))
    }

    private func identify(_ access: TargetAccess) throws(SecretError) -> Bool {
        if let login = access.login {
            guard ccurl_login(client, login.username, try login.password.read().revealed) else { return false }
        }
        if let token = access.token {
            guard ccurl_header(client, "Authorization: Bearer \(try token.read().revealed)") else { return false }
        }
        for header in access.headers {
            guard ccurl_header(client, "\(header.name): \(try header.value.read().revealed)") else { return false }
        }
        return true
    }

    private func trust(_ request: Request) -> Bool {
        if let file = request.access.caFile {
            guard ccurl_trust(client, file) else { return false }
        }
        if let certificate = request.access.certificate {
            guard ccurl_certificate(client, certificate.file, certificate.key) else { return false }
        }
        guard let proxy = request.proxy else { return true }
        return ccurl_proxy(client, proxy.revealed)
    }
}

extension HTTPClient {
    /// Waits at most `limit`; `now` returns the time since boot.
    func answer(
        to request: Request, within limit: Duration, _ now: () -> Instant
    ) throws(SecretError) -> Result<Reply, Failure> {
        let began = now()
        guard try start(request) else { return .failure(.broken("libcurl rejects the address")) }
        while !advance() {
            guard now() - began <= limit else { return .failure(.timedOut) }
            // If libcurl has no socket, it resolves a name on its own thread; its manual recommends another call soon.
            watches.poll(timeout_ms: 50)
        }
        return reply()
    }
}
