internal import Formats
internal import FoundationEssentials
internal import Glibc
internal import Quantities

/// Obtains the access token of a target, and renews it before it expires (OAuth 2, RFC 6749, sections 4.4 and 6).
struct AccessToken {
    private let endpoint: TokenEndpoint
    private var token: Secret?
    /// When to renew the token; nil if the server did not state when it expires.
    private var renewal: Instant?
    /// The token that the server last issued in place of the configured one; nil before that.
    private var refreshToken: Secret?
    private var isNew = false

    init(_ endpoint: TokenEndpoint) { self.endpoint = endpoint }

    func current(at now: Instant) -> Secret? {
        // Use each new token at least once, even if the time to renew it has already come.
        if let renewal, now >= renewal, !isNew { return nil }
        return token
    }

    func request(for target: UploadTarget, _ timeouts: TransportTimeouts) throws(SecretError) -> HTTPClient.Request {
        var access = TargetAccess(caFile: target.access.caFile)
        var fields = [("grant_type", "client_credentials")]
        if let source = endpoint.refreshToken {
            let secret = if let refreshToken { refreshToken } else { try source.read() }
            fields = [("grant_type", "refresh_token"), ("refresh_token", secret.revealed)]
        }
        if let secret = endpoint.clientSecret {
            // By RFC 6749, section 2.3.1, a client encodes ID and secret as in a form, and then both as in RFC 7617.
            access.username = URLText.encode(endpoint.clientID)
            access.password = SecretSource(URLText.encode(try secret.read().revealed))
        } else {
            fields.append(("client_id", endpoint.clientID))
        }
        if let scope = endpoint.scope { fields.append(("scope", scope)) }
        let body = fields.map { "\($0)=\(URLText.encode($1))" }.joined(separator: "&")
        let headers = [
            WirePayload.Header("Content-Type", "application/x-www-form-urlencoded"),
            WirePayload.Header("Accept", "application/json"),
        ]
        return HTTPClient.Request(
            url: endpoint.url, access: access, proxy: target.proxy, headers: headers, body: Array(body.utf8),
            timeouts: timeouts)
    }

    mutating func take(_ reply: Reply, at now: Instant) -> Verdict? {
        let host = (try? ServerAddress(endpoint.url))?.host ?? "the token server"
        guard reply.status == 200, let answer = try? JSONDecoder().decode(Answer.self, from: Data(reply.body)),
            answer.access_token.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else {
            // The owner may have written another refresh token into the file, so drop both tokens.
            (token, refreshToken) = (nil, nil)
            switch reply.status {
            case 400, 401, 403:
                return .unauthorised(
                    reason: "\(host) issues no token (status \(reply.status)); check the keys of `token`")
            default:
                return .retry(reason: "\(host) issues no token (status \(reply.status))", after: reply.retryAfter)
            }
        }
        token = Secret(answer.access_token)
        isNew = true
        renewal = answer.expires_in.map { now + Self.lifetime($0) }
        if let next = answer.refresh_token, next != refreshToken?.revealed {
            refreshToken = Secret(next)
            store(next)
        }
        return nil
    }

    /// Returns whether to repeat the request with a new token.
    mutating func mustRenew(after status: Int) -> Bool {
        defer { isNew = false }
        guard status == 401 else { return false }
        token = nil
        return !isNew
    }

    private struct Answer: Decodable {
        let access_token: String
        let expires_in: Double?
        let refresh_token: String?
    }

    /// Returns the lifetime, shortened by a tenth but at most by a minute, because clocks differ and requests may be
    /// under way.
    private static func lifetime(_ seconds: Double) -> Duration {
        let bounded = min(max(seconds, 0), 86_400 * 365)
        return Duration(inSeconds: bounded - min(60, bounded / 10))
    }

    /// Stores a new refresh token, because the server may refuse the old one from now on.
    private func store(_ token: String) {
        guard let file = endpoint.refreshToken?.file else { return }
        let manager = FileManager.default
        let mode = (try? manager.attributesOfItem(atPath: file))?[.posixPermissions] ?? 0o600
        let new = file + ".new"
        guard manager.createFile(atPath: new, contents: Data("\(token)\n".utf8), attributes: [.posixPermissions: mode])
        else { return }
        if rename(new, file) != 0 { try? manager.removeItem(atPath: new) }
    }
}
