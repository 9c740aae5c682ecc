package struct PageSettings: Sendable {
    package var listen: ListenAddress
    package var readSocket: String
    /// The socket for actions; nil if the page is read-only.
    package var controlSocket: String?
    package var names: [String]
    /// The file with the password's hash; nil for no password.
    package var passwordFile: String?
    package var certificate: String?
    package var key: String?
    /// True if a web server on this computer forwards to the page, and adds TLS.
    package var isBehindProxy: Bool

    package init(
        listen: ListenAddress, readSocket: String, controlSocket: String?, names: [String], passwordFile: String?,
        certificate: String?, key: String?, isBehindProxy: Bool
    ) {
        self.listen = listen
        self.readSocket = readSocket
        self.controlSocket = controlSocket
        self.names = names
        self.passwordFile = passwordFile
        self.certificate = certificate
        self.key = key
        self.isBehindProxy = isBehindProxy
    }

    var isSecure: Bool { certificate != nil || isBehindProxy }

    /// True if all requests come from the address of one web server.
    var hasAddressOfProxy: Bool {
        if case .socket = listen { return true }
        return isBehindProxy
    }

    /// Throws if other computers could read positions without a password or without TLS, or if TLS lacks the certificate
    /// or the key.
    package func check() throws(PageError) {
        if (certificate == nil) != (key == nil) {
            throw PageError("TLS needs both `--certificate` and `--key`. Add the missing one.")
        }
        let isReachable = !listen.isLocal || isBehindProxy || !names.isEmpty
        if isReachable, passwordFile == nil {
            throw PageError(
                "Other computers could open the page at \(listen). Create a password with `trackerd-page set-password FILE`, and add `--password-file FILE`."
            )
        }
        if !listen.isLocal, certificate == nil {
            throw PageError(
                "At \(listen), the password and the positions would go through the network unencrypted. Add `--certificate` and `--key`, or listen at 127.0.0.1 behind a web server with TLS (`--behind-proxy`)."
            )
        }
    }
}

package struct PageError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
