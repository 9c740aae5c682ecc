internal import Formats
package import Quantities

/// Tries to reach the server of a target, and leaves no record there.
///
/// A web server gets one GET, safe by definition (RFC 9110, section 9.2.1), with the target's secrets. A token for the server
/// is obtained with the client's own credentials, never with a refresh token, which the server may replace although the
/// daemon needs it. For an MQTT broker see `BrokerProbe`.
package struct TargetProbe {
    package enum Outcome: Sendable, Hashable {
        case answered(ProbeAnswer, after: Duration)
        case noAddress
        case unreachable
        case proxy(String)
        case timedOut
        case untrusted(String)
        /// A secret or the client certificate is unusable, no token was issued, or the server requires a certificate.
        case unidentified(String)
        case broken(String)
        case broker(BrokerProbe.Outcome)
    }

    package static let timeout = BrokerProbe.timeout
    /// The limit in bytes; an error page is shorter.
    private static let longestAnswer = 65_536

    private let now: () -> Instant

    package init(now: @escaping () -> Instant) { self.now = now }

    package func reach(_ target: UploadTarget) -> Outcome {
        guard target.transport.kind != .mqtt else { return .broker(BrokerProbe(now: now).reach(target)) }
        do throws(SecretError) {
            var access = target.access
            if let endpoint = access.tokenEndpoint, endpoint.refreshToken == nil {
                var token = AccessToken(endpoint)
                let request = try token.request(for: target, Self.timeouts)
                let host = (try? ServerAddress(endpoint.url))?.host ?? "the token server"
                switch try answer(to: request) {
                case .failure(let failure):
                    return .unidentified("no access token: \(failure.reason(host, target.proxy))")
                case .success(let reply):
                    if token.take(reply, at: now()) != nil {
                        return .unidentified("\(host) issues no token (status \(reply.status))")
                    }
                }
                access.token = token.current(at: now()).map(SecretSource.text)
            }
            let began = now()
            let request = HTTPClient.Request(
                url: target.address.url(Self.harmless(target.address.path)), access: access, proxy: target.proxy,
                timeouts: Self.timeouts)
            return outcome(of: try answer(to: request), target, after: now() - began)
        } catch {
            return .unidentified("\(error)")
        }
    }

    private static let timeouts = TransportTimeouts(connect: timeout, answer: .zero)

    private func answer(to request: HTTPClient.Request) throws(SecretError) -> Result<Reply, HTTPClient.Failure> {
        let client = HTTPClient(longestAnswer: Self.longestAnswer)
        defer { client.close() }
        return try client.answer(to: request, within: Self.timeout, now)
    }

    /// Cuts the path before the first placeholder, because a server that takes records by GET could store the values.
    private static func harmless(_ path: String) -> String {
        guard path.contains("{") else { return path }
        let fixed = path.prefix { $0 != "?" && $0 != "{" }
        guard path[fixed.endIndex] == "{" else { return String(fixed) }
        return fixed.lastIndex(of: "/").map { String(fixed[...$0]) } ?? "/"
    }

    private func outcome(
        of answer: Result<Reply, HTTPClient.Failure>, _ target: UploadTarget, after span: Duration
    ) -> Outcome {
        switch answer {
        case .failure(let failure) where target.proxy != nil && failure.isOfProxy:
            .proxy(failure.reason(target.address.host, target.proxy))
        case .success(let reply): .answered(ProbeAnswer(reply, to: target), after: span)
        case .failure(.noName): .noAddress
        case .failure(.noConnection): .unreachable
        case .failure(.timedOut): .timedOut
        case .failure(.distrusted(let text)): .untrusted(text)
        // Only a web page can be this long; a server of a known format sends no such answer.
        case .failure(.answerTooLong), .failure(.headTooLong): .answered(.page(status: 200), after: span)
        case .failure(.broken(let text)) where HTTPClient.Failure.asksForCertificate(text):
            .unidentified("the server asks for a client certificate (\(text))")
        case .failure(.certificateUnusable(let text)):
            .unidentified("`certificateFile` or `keyFile` cannot be used (\(text))")
        case .failure(.broken(let text)): .broken(text)
        }
    }
}

/// What the server answers to a GET.
package enum ProbeAnswer: Sendable, Hashable {
    /// Only an upload can show whether records are accepted.
    case plausible(status: Int)
    /// Status 401 comes from the server, and 407 from the proxy.
    case unauthorised(status: Int)
    case forbidden
    /// `to` is nil if the server states no address.
    case redirect(to: String?, status: Int)
    case notFound(status: Int)
    case wantsTLS
    case wantsCertificate
    /// Home Assistant's answer to a webhook that does not exist.
    case unknownWebhook
    case page(status: Int)
    case outOfOrder(status: Int)

    init(_ reply: Reply, to target: UploadTarget) {
        switch (reply.status, reply.misconfiguration) {
        case (_, .plainToTLS): self = .wantsTLS
        case (_, .noCertificate): self = .wantsCertificate
        // The probe sends no token that depends on a refresh token, so only an upload can show whether the server accepts it.
        case (401, _) where target.access.tokenEndpoint?.refreshToken != nil: self = .plausible(status: 401)
        case (401, _), (407, _): self = .unauthorised(status: reply.status)
        case (403, _): self = .forbidden
        case (300...399, _):
            self = .redirect(to: reply.location.isEmpty ? nil : reply.shownLocation, status: reply.status)
        case (404, _), (410, _): self = .notFound(status: reply.status)
        // 501: the server does not support GET, like Python's http.server without `do_GET`.
        case (501, _): self = .plausible(status: 501)
        case (500...599, _): self = .outOfOrder(status: reply.status)
        case (200, _) where reply.body.isEmpty && target.address.path.contains("/api/webhook/"): self = .unknownWebhook
        case (200...299, _) where reply.isPage: self = .page(status: reply.status)
        default: self = .plausible(status: reply.status)
        }
    }
}
