package struct PageSettings: Sendable {
    package var listen: ListenAddress
    /// The daemon's read socket.
    package var readSocket: String
    /// The daemon's control socket, for actions; nil if the page is read-only.
    package var controlSocket: String?
    /// Additional host names of the page.
    package var names: [String]
    /// The file with the hash of the password; nil for no password.
    package var passwordFile: String?
    /// The files with the certificate and the key for TLS, as PEM.
    package var certificate: String?
    package var key: String?
    /// Whether a web server on this computer forwards the requests to the page and adds TLS.
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

    /// Whether browsers connect to the page through TLS.
    var isSecure: Bool { certificate != nil || isBehindProxy }

    /// Whether the requests of all browsers come from the address of one web server.
    var hasAddressOfProxy: Bool {
        if case .socket = listen { return true }
        return isBehindProxy
    }

    /// Throws an error if the settings are unsafe or incomplete.
    ///
    /// Other computers must not see positions without a password. The password must not go through the network
    /// unencrypted. TLS needs both files, the certificate and the key.
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

/// The page cannot start.
package struct PageError: Error, CustomStringConvertible {
    /// The fault and its remedy.
    package let description: String

    init(_ description: String) { self.description = description }
}
