internal import CCurl
package import Quantities

/// Posts payloads over HTTP(S), one after the other on a persistent connection (libcurl).
///
/// A payload waits here until the payload before it is answered, so that the next request starts as soon as the answer arrives. If
/// the server is unreachable or accepts nothing, all waiting payloads receive the verdict of the failed request. It uses TLS 1.2 or
/// newer, and accepts answers of up to 1 MiB. It does not follow redirects, so that the password reaches no other server.
package final class HTTP: Transport {
    private let target: UploadTarget
    private let timeouts: TransportTimeouts
    private var client: OpaquePointer?
    private var waiting: [(id: Int, payload: WirePayload)] = []
    private var current: Int?
    private var outcomes: [BatchOutcome] = []
    private var calledAt = Instant.boot

    private static let longestAnswer = 1 << 20
    private static let longestWait_ms = 60_000

    /// Makes a transport for the target; connects when there is a payload to send.
    package init(_ target: UploadTarget, _ timeouts: TransportTimeouts) {
        self.target = target
        self.timeouts = timeouts
        client = ccurl_open(Self.longestAnswer)
    }

    deinit { ccurl_close(client) }

    /// The sockets of the request.
    package var watches: [Watch] {
        guard current != nil else { return [] }
        var sockets = [ccurl_socket](repeating: ccurl_socket(), count: 8)
        let count = Int(ccurl_watched(client, &sockets, Int32(sockets.count)))
        return sockets.prefix(count).map { Watch(descriptor: $0.fd, reads: $0.reads, writes: $0.writes) }
    }

    /// When libcurl needs the next call.
    package var deadline: Instant? {
        guard outcomes.isEmpty else { return calledAt }
        guard current != nil else { return nil }
        let wanted = ccurl_timeout_ms(client)
        // Without a socket, libcurl does work that cannot be polled; its manual recommends another call soon.
        let longest = watches.isEmpty ? 50 : Self.longestWait_ms
        return calledAt + .milliseconds(wanted < 0 ? longest : min(wanted, longest))
    }

    /// Starts the request, unless other requests are first.
    package func send(_ payload: WirePayload, as id: Int, at now: Instant) {
        calledAt = now
        waiting.append((id, payload))
        if current == nil { startNext() }
    }

    /// Continues the request, and then the next ones.
    package func advance(at now: Instant) -> [BatchOutcome] {
        defer { outcomes = [] }
        calledAt = now
        while let id = current, ccurl_advance(client) {
            current = nil
            finish(id, verdict())
        }
        return outcomes
    }

    /// Abandons the requests and the connection.
    package func close() {
        ccurl_close(client)
        client = nil
        current = nil
        waiting = []
    }
}

// MARK: - Requests

extension HTTP {
    private func startNext() {
        guard !waiting.isEmpty else { return }
        let (id, payload) = waiting.removeFirst()
        guard client != nil, start(payload) else {
            return finish(id, .retry(reason: "out of memory", after: nil))
        }
        current = id
    }

    private func start(_ payload: WirePayload) -> Bool {
        guard ccurl_begin(client, target.address.url(payload.path ?? target.address.path)) else { return false }
        if let login = target.login {
            guard ccurl_login(client, login.username, login.password.revealed) else { return false }
        }
        if let file = target.caFile {
            guard ccurl_trust(client, file) else { return false }
        }
        if let proxy = target.proxy {
            guard ccurl_proxy(client, proxy.revealed) else { return false }
        }
        let type = payload.method == .get ? [] : [WirePayload.Header("Content-Type", payload.contentType)]
        let lines = type + payload.headers
        guard lines.allSatisfy({ ccurl_header(client, "\($0.name): \($0.value)") }) else { return false }
        let connect_ms = Int(timeouts.connect.inSeconds * 1000)
        let total_ms = Int((timeouts.connect + timeouts.answer).inSeconds * 1000)
        return switch payload.method {
        case .get: ccurl_get(client, connect_ms, total_ms)
        case .post: ccurl_post(client, payload.body, payload.body.count, connect_ms, total_ms)
        }
    }

    private func finish(_ id: Int, _ verdict: Verdict) {
        outcomes.append(BatchOutcome(id: id, verdict: verdict))
        switch verdict {
        case .delivered, .withheld, .refused, .unwritable: startNext()
        case .retry, .unauthorised:
            outcomes += waiting.map { BatchOutcome(id: $0.id, verdict: verdict) }
            waiting = []
        }
    }

    private func verdict() -> Verdict {
        let host = target.address.host
        let first = target.proxy.map { "the proxy \($0.host)" } ?? host
        let reason: String
        switch ccurl_outcome(client) {
        case CCURL_ANSWERED: return target.verdict(on: reply())
        case CCURL_NO_NAME: reason = "\(first) has no address (no network, or a wrong name)"
        case CCURL_NO_CONNECTION: reason = "\(first) is unreachable, or no server listens there"
        case CCURL_TIMED_OUT: reason = "\(host) does not answer in time"
        case CCURL_TOO_LONG: reason = "\(host) answers with more than 1 MiB"
        case CCURL_DISTRUSTED: reason = "the certificate of \(host) is not trusted (\(errorText))"
        default: reason = "the connection to \(host) broke (\(errorText))"
        }
        return .retry(reason: reason, after: nil)
    }

    /// libcurl's description of the error.
    private var errorText: String { String(cString: ccurl_words(client)) }

    private func reply() -> Reply {
        var count = 0
        let body = ccurl_body(client, &count)
        let seconds = ccurl_retry_after_s(client)
        return Reply(
            status: ccurl_status(client), contentType: String(cString: ccurl_content_type(client)),
            retryAfter: seconds > 0 ? .seconds(seconds) : nil,
            body: Array(UnsafeBufferPointer(start: body, count: count)))
    }
}
