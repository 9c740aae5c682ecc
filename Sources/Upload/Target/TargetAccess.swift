internal import Formats

/// How trackerd identifies itself to a server, and which authorities it trusts.
package struct TargetAccess: Sendable, Hashable {
    /// A header field, such as an API key from the server's operator.
    package struct Header: Sendable, Hashable {
        package let name: String
        package let value: SecretSource

        package init(name: String, value: SecretSource) {
            self.name = name
            self.value = value
        }
    }

    package var username: String?
    package var password: SecretSource?
    /// A bearer token (RFC 6750).
    package var token: SecretSource?
    /// Used instead of `token`.
    package var tokenEndpoint: TokenEndpoint?
    package var headers: [Header]
    /// The file of trusted authorities, which replaces the system's certificates.
    package var caFile: String?
    /// A file in PEM format.
    package var certificateFile: String?
    /// Nil if `certificateFile` has the key too.
    package var keyFile: String?

    package init(
        username: String? = nil, password: SecretSource? = nil, token: SecretSource? = nil,
        tokenEndpoint: TokenEndpoint? = nil, headers: [Header] = [], caFile: String? = nil,
        certificateFile: String? = nil, keyFile: String? = nil
    ) {
        (self.username, self.password, self.token, self.headers) = (username, password, token, headers)
        self.tokenEndpoint = tokenEndpoint
        (self.caFile, self.certificateFile, self.keyFile) = (caFile, certificateFile, keyFile)
    }

    /// The password is empty if only a user is set.
    package var login: (username: String, password: SecretSource)? {
        username.map { ($0, password ?? SecretSource("")) }
    }

    package var certificate: (file: String, key: String)? {
        certificateFile.map { ($0, keyFile ?? $0) }
    }

    /// The files that `SecretWatch` watches.
    package var files: [String] {
        let ofEndpoint = [tokenEndpoint?.clientSecret, tokenEndpoint?.refreshToken]
        let secrets = ([password, token] + ofEndpoint + headers.map(\.value)).compactMap { $0?.file }
        return secrets + [caFile, certificateFile, keyFile].compactMap { $0 }
    }
}

extension TargetCheck {
    func access(
        _ access: TargetAccess, to address: ServerAddress, over transport: TransportRow
    ) throws(UploadTargetError) -> TargetAccess {
        try login(access, over: transport)
        try headers(access, over: transport)
        let isSecure = transport.secureSchemes.contains(address.scheme)
        guard access.certificateFile == nil || isSecure else {
            throw fault(
                "certificateFile", "is sent only over TLS",
                "Use \(transport.secureSchemes.joined(separator: ", "))://, or leave it out.")
        }
        guard access.keyFile == nil || access.certificateFile != nil else {
            throw fault(
                "keyFile", "is set without `certificateFile`", "Set `certificateFile` to the certificate of this key.")
        }
        return access
    }

    private func login(_ access: TargetAccess, over transport: TransportRow) throws(UploadTargetError) {
        for (key, text) in [("username", access.username), ("password", literal(access.password))] {
            guard text.map(isOneLine) != false else {
                throw fault(key, "contains a control character", "Check for a line break at its end.")
            }
        }
        // In RFC 7617 the first colon ends the user name.
        guard transport.kind != .http || access.username?.contains(":") != true else {
            throw fault("username", "contains a colon, which ends the name in HTTP", "Use another name.")
        }
        guard access.password == nil || access.username != nil else {
            throw fault("password", "is set without `username`", "Write the name under `username`.")
        }
    }

    private func headers(_ access: TargetAccess, over transport: TransportRow) throws(UploadTargetError) {
        let isHTTP = transport.kind == .http
        let hasToken = access.token != nil || access.tokenEndpoint != nil
        guard !hasToken || isHTTP else {
            throw fault("token", "cannot be used with \(transport.name)", "Use `username` and `password`.")
        }
        guard access.headers.isEmpty || isHTTP else {
            throw fault("headers", "cannot be used with \(transport.name)", "Leave them out.")
        }
        guard !hasToken || access.username == nil else {
            throw fault("token", "is set together with `username`", "Keep one of them.")
        }
        guard literal(access.token).map(isOneLine) != false else {
            throw fault("token", "contains a control character", "Check for a line break at its end.")
        }
        for header in access.headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(Self.isTokenCharacter) else {
                throw fault("headers", "contains a name that HTTP does not allow", "Use letters, digits and `-`.")
            }
            let name = header.name.lowercased()
            let isSet = name == "authorization" && (hasToken || access.username != nil)
            guard !isSet, !Self.ownHeaders.contains(name) else {
                throw fault("headers", "contains `\(header.name)`, which trackerd sets itself", "Leave it out.")
            }
            guard literal(header.value).map(isOneLine) != false else {
                throw fault("headers", "contains a value with a control character", "Check for a line break.")
            }
        }
    }

    private func literal(_ source: SecretSource?) -> String? {
        guard case .text(let secret) = source else { return nil }
        return secret.revealed
    }

    private func isOneLine(_ text: String) -> Bool { !text.utf8.contains { $0 < 32 || $0 == 127 } }

    /// A character of a token in RFC 9110, section 5.6.2.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    private static let ownHeaders = [
        "accept", "connection", "content-encoding", "content-length", "content-type", "expect", "host",
        "transfer-encoding",
    ]
}

/// The endpoint that issues access tokens (OAuth 2, RFC 6749).
package struct TokenEndpoint: Sendable, Hashable {
    package let url: String
    package let clientID: String
    /// Nil for a public client.
    package let clientSecret: SecretSource?
    /// Nil means the grant `client_credentials`.
    package let refreshToken: SecretSource?
    /// Nil means the server's default.
    package let scope: String?

    package init(
        url: String, clientID: String, clientSecret: SecretSource? = nil, refreshToken: SecretSource? = nil,
        scope: String? = nil
    ) {
        (self.url, self.clientID, self.scope) = (url, clientID, scope)
        (self.clientSecret, self.refreshToken) = (clientSecret, refreshToken)
    }
}

extension TargetCheck {
    func tokenEndpoint(_ endpoint: TokenEndpoint?, allowInsecure: Bool) throws(UploadTargetError) {
        guard let endpoint else { return }
        let remedy = "Write a URL such as `https://login.example.net/token`."
        guard let address = try? ServerAddress(endpoint.url), ["https", "http"].contains(address.scheme) else {
            throw fault("token", "has a `url` that is not the address of a web server", remedy)
        }
        guard address.scheme == "https" || address.isLoopback || allowInsecure else {
            throw fault("token", "has a `url` that sends secrets unencrypted over the network", remedy)
        }
        guard endpoint.clientSecret != nil || endpoint.refreshToken != nil else {
            throw fault("token", "has neither `clientSecret` nor `refreshToken`", "Write one of them.")
        }
    }
}
