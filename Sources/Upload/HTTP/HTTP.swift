internal import Delivery
internal import Formats
internal import Quantities

/// Sends payloads over HTTP(S), one after the other on a persistent connection (libcurl).
///
/// The next payload follows when the server has accepted or refused the one before. After any other verdict, all waiting
/// payloads get the same one.
final class HTTP: Transport {
    private let target: UploadTarget
    private let timeouts: TransportTimeouts
    private var client = HTTPClient()
    private var isClosed = false
    private var waiting: [(id: Int, payload: WirePayload)] = []
    private var current: (id: Int, payload: WirePayload)?
    /// The parts of the present payload that follow the present request.
    private var rest: [WirePayload] = []
    private var compression: BodyCompression
    private var token: AccessToken?
    /// True if the present request asks for a token instead of sending the payload.
    private var isForToken = false
    private var wasSent = false
    private var outcomes: [BatchOutcome] = []
    private var calledAt = Instant.boot
    private var messages: [[UInt8]] = []

    /// The transport connects when there is a payload.
    init(_ target: UploadTarget, _ timeouts: TransportTimeouts) {
        self.target = target
        self.timeouts = timeouts
        compression = BodyCompression(target.compression)
        token = target.access.tokenEndpoint.map { AccessToken($0) }
    }

    var watches: [Watch] { current == nil ? [] : client.watches }

    var deadline: Instant? {
        guard outcomes.isEmpty else { return calledAt }
        return current == nil ? nil : calledAt + .milliseconds(client.wait_ms)
    }

    func send(_ payload: WirePayload, as id: Int, at now: Instant) {
        calledAt = now
        waiting.append((id, payload))
        if current == nil { startNext() }
    }

    func advance(at now: Instant) -> [BatchOutcome] {
        defer { outcomes = [] }
        calledAt = now
        while let (id, payload) = current, client.advance() {
            if let verdict = react(to: client.reply(), payload) { settle(id, verdict) }
        }
        return outcomes
    }

    func takeMessages() -> [[UInt8]] {
        defer { messages = [] }
        return messages
    }

    func breakOff() {
        let ids = [current?.id].compactMap { $0 } + waiting.map(\.id)
        outcomes += ids.map { BatchOutcome(id: $0, verdict: .postponed) }
        client.close()
        client = HTTPClient()
        (current, rest, waiting, isForToken) = (nil, [], [], false)
    }

    func close() {
        client.close()
        isClosed = true
        current = nil
        waiting = []
    }
}

// MARK: - Requests

extension HTTP {
    private func startNext() {
        guard !waiting.isEmpty, !isClosed else { return }
        let next = waiting.removeFirst()
        rest = next.payload.companions + [next.payload]
        startPart(of: next.id)
    }

    private func startPart(of id: Int) {
        let part = rest.removeFirst()
        current = (id, part)
        wasSent = false
        if let error = start(part) { settle(id, error) }
    }

    private func start(_ payload: WirePayload) -> Verdict? {
        do throws(SecretError) {
            var access = target.access
            if let token {
                guard let secret = token.current(at: calledAt) else {
                    isForToken = true
                    return try begin(token.request(for: target, timeouts))
                }
                access.token = .text(secret)
            }
            var request = HTTPClient.Request(
                url: target.address.url(payload.path ?? target.address.path), access: access, proxy: target.proxy,
                headers: payload.headers, timeouts: timeouts)
            if payload.method == .post {
                let (body, coding) = compression.encode(payload.body)
                request.headers = [WirePayload.Header("Content-Type", payload.contentType)] + coding + payload.headers
                request.body = body
            }
            return try begin(request)
        } catch {
            isForToken = false
            return .unauthorised(reason: "\(error)")
        }
    }

    private func begin(_ request: HTTPClient.Request) throws(SecretError) -> Verdict? {
        try client.start(request) ? nil : .retry(reason: "out of memory", after: nil)
    }

    /// Nil if the payload needs another request.
    private func react(to answer: Result<Reply, HTTPClient.Failure>, _ payload: WirePayload) -> Verdict? {
        if case .failure = answer {
            wasSent = client.wasConnected && !isForToken
            // Over HTTP/2, libcurl may use a connection again after a time-out although it may be dead (curl issue 17225).
            client.close()
            client = HTTPClient()
        } else {
            wasSent = !isForToken
        }
        if isForToken {
            isForToken = false
            let host = target.access.tokenEndpoint.flatMap { try? ServerAddress($0.url) }?.host ?? ""
            switch answer {
            case .success(let reply): return token?.take(reply, at: calledAt) ?? start(payload)
            case .failure(let failure): return failure.verdict(host, target.proxy)
            }
        }
        switch answer {
        case .success(let reply):
            let isExpired = token?.mustRenew(after: reply.status) ?? false
            if isExpired || compression.mustRepeat(after: reply, client.offersCompression) { return start(payload) }
            let verdict = target.format.verdict(on: reply, by: target.answer)
            if verdict == .delivered, target.acceptsOrders, reply.mayContainOrders { messages.append(reply.body) }
            return verdict
        case .failure(let failure):
            return failure.verdict(target.address.host, target.proxy)
        }
    }

    private func settle(_ id: Int, _ verdict: Verdict) {
        guard verdict != .delivered || rest.isEmpty else { return startPart(of: id) }
        (current, rest) = (nil, [])
        outcomes.append(BatchOutcome(id: id, verdict: verdict, wasSent: wasSent))
        switch verdict {
        case .delivered, .withheld, .refused, .unwritable: startNext()
        case .linkFailed, .timedOut, .retry, .unauthorised, .postponed:
            outcomes += waiting.map { BatchOutcome(id: $0.id, verdict: verdict, wasSent: false) }
            waiting = []
        }
    }
}

extension HTTPClient.Failure {
    func verdict(_ host: String, _ proxy: ProxyAddress?) -> Verdict {
        let reason = reason(host, proxy)
        if case .timedOut = self { return .timedOut(reason: reason) }
        return isOfLink ? .linkFailed(reason: reason) : .retry(reason: reason, after: nil)
    }

    private var isOfLink: Bool {
        switch self {
        case .noName, .noConnection: true
        case .broken(let text): !Self.asksForCertificate(text) && Self.tunnelStatus(text) == nil
        case .timedOut, .distrusted, .certificateUnusable, .answerTooLong, .headTooLong: false
        }
    }

    func reason(_ host: String, _ proxy: ProxyAddress?) -> String {
        let first = proxy.map { "the proxy \($0.host)" } ?? host
        return switch self {
        case .noName: "\(first) has no address (no network, or a wrong name)"
        case .noConnection: "\(first) is unreachable, or no server listens there"
        case .timedOut: "\(host) does not answer in time"
        case .answerTooLong: "\(host) answers with more than 1 MiB"
        case .headTooLong: "\(host) answers with more than 64 KiB of header lines"
        case .distrusted(let text): "the certificate of \(host) is not trusted (\(text))"
        case .certificateUnusable(let text):
            "`certificateFile` or `keyFile` cannot be used (\(text)); the key must be PEM without a password"
        case .broken(let text) where Self.asksForCertificate(text):
            "\(host) accepts no connection without a client certificate (\(text)); set `certificateFile` and `keyFile`"
        case .broken(let text):
            Self.tunnelStatus(text).map { tunnelFault($0, host, proxy) } ?? "the connection to \(host) broke (\(text))"
        }
    }

    var isOfProxy: Bool {
        switch self {
        case .noName, .noConnection: true
        case .broken(let text): Self.tunnelStatus(text) != nil
        default: false
        }
    }

    private func tunnelFault(_ status: String, _ host: String, _ proxy: ProxyAddress?) -> String {
        let name = proxy.map { "the proxy \($0.host)" } ?? "the proxy"
        return status == "407"
            ? "\(name) rejects the credentials (status 407); correct the user and the password in `proxy`"
            : "\(name) refuses the connection to \(host) (status \(status))"
    }

    /// Returns the status in libcurl's message if the proxy refused CONNECT (RFC 9110, section 9.3.6); otherwise nil.
    static func tunnelStatus(_ text: String) -> String? {
        let words = "CONNECT tunnel failed, response "
        guard text.hasPrefix(words) else { return nil }
        return String(text.dropFirst(words.count))
    }

    /// OpenSSL's words for alert 116, `certificate_required` (RFC 8446, section 6.2).
    static func asksForCertificate(_ text: String) -> Bool { text.contains("certificate required") }
}
