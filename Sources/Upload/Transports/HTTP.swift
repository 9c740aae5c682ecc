internal import CCurl
package import Quantities

/// Posts parcels over HTTP(S), one after the other on a connection that is kept (libcurl).
///
/// Parcels wait here until the one before is answered: so the next request leaves as soon as the answer is there. When
/// the server cannot be reached or takes nothing, all that wait get the verdict of the one that found out.
/// TLS 1.2 and newer; answers of up to 1 MiB; redirections are not followed, so that a password goes to no other server.
package final class HTTP: Transport {
    private let target: UploadTarget
    private let patience: TransportPatience
    private var client: OpaquePointer?
    private var waiting: [(id: Int, parcel: Parcel)] = []
    private var current: Int?
    private var outcomes: [ShipmentOutcome] = []
    private var calledAt = Instant.boot

    /// Makes a transport for the target; connects when there is something to send.
    package init(_ target: UploadTarget, _ patience: TransportPatience) {
        self.target = target
        self.patience = patience
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

    /// When libcurl wants to be called.
    package var deadline: Instant? {
        guard outcomes.isEmpty else { return calledAt }
        guard current != nil else { return nil }
        let wish = ccurl_timeout_ms(client)
        // Without a socket there is something that libcurl cannot be waited for; its manual says to look again soon.
        let longest = watches.isEmpty ? 50 : Self.longestWait_ms
        return calledAt + .milliseconds(wish < 0 ? longest : min(wish, longest))
    }

    /// Starts the request, unless others come first.
    package func send(_ parcel: Parcel, as id: Int, at now: Instant) {
        calledAt = now
        waiting.append((id, parcel))
        if current == nil { startNext() }
    }

    /// Goes on with the request, and with those that wait.
    package func advance(at now: Instant) -> [ShipmentOutcome] {
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

    private func startNext() {
        guard !waiting.isEmpty else { return }
        let (id, parcel) = waiting.removeFirst()
        guard client != nil, start(parcel) else {
            return finish(id, .retry(reason: "there is no memory to send it", after: nil))
        }
        current = id
    }

    private func finish(_ id: Int, _ verdict: Verdict) {
        outcomes.append(ShipmentOutcome(id: id, verdict: verdict))
        switch verdict {
        case .delivered, .withheld, .refused, .unwritable: startNext()
        case .retry, .unauthorised:
            outcomes += waiting.map { ShipmentOutcome(id: $0.id, verdict: verdict) }
            waiting = []
        }
    }

    private static let longestAnswer = 1 << 20
    private static let longestWait_ms = 60_000

    private func start(_ parcel: Parcel) -> Bool {
        guard ccurl_begin(client, target.address.description) else { return false }
        if let login = target.login {
            guard ccurl_login(client, login.username, login.password.revealed) else { return false }
        }
        if let file = target.caFile {
            guard ccurl_trust(client, file) else { return false }
        }
        if let proxy = target.proxy {
            guard ccurl_proxy(client, proxy.revealed) else { return false }
        }
        let lines = [Parcel.Header("Content-Type", parcel.contentType)] + parcel.headers
        guard lines.allSatisfy({ ccurl_header(client, "\($0.name): \($0.value)") }) else { return false }
        return ccurl_post(
            client, parcel.body, parcel.body.count, Int(patience.connect.inSeconds * 1000),
            Int((patience.connect + patience.answer).inSeconds * 1000))
    }

    private func verdict() -> Verdict {
        let host = target.address.host
        let first = target.proxy.map { "the proxy \($0.host)" } ?? host
        switch ccurl_outcome(client) {
        case CCURL_ANSWERED: return target.format.verdict(on: reply())
        case CCURL_NO_NAME: return .retry(reason: "\(first) has no address (no network, or a wrong name)", after: nil)
        case CCURL_NO_CONNECTION:
            return .retry(reason: "\(first) cannot be reached, or nothing listens there", after: nil)
        case CCURL_TIMED_OUT: return .retry(reason: "\(host) does not answer in time", after: nil)
        case CCURL_TOO_LONG: return .retry(reason: "\(host) answers with more than 1 MiB", after: nil)
        case CCURL_DISTRUSTED:
            return .retry(reason: "the certificate of \(host) is not to be trusted (\(words))", after: nil)
        default: return .retry(reason: "the connection to \(host) broke (\(words))", after: nil)
        }
    }

    private var words: String { String(cString: ccurl_words(client)) }

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
