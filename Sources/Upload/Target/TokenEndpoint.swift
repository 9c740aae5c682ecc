/// A server that issues the access tokens of a target (OAuth 2, RFC 6749).
package struct TokenEndpoint: Sendable, Hashable {
    package let url: String
    package let clientID: String
    /// The secret of the client; nil for a public client.
    package let clientSecret: SecretSource?
    /// The refresh token; nil to obtain tokens with the client's own credentials (`client_credentials`).
    package let refreshToken: SecretSource?
    /// The requested scope; nil for the server's default.
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
    /// Checks the address of a token endpoint.
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
