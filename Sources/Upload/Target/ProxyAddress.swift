/// Through which proxy a server is reached: `http://`, `https://` or `socks5h://`, then perhaps user and password.
package struct ProxyAddress: Sendable, Hashable, CustomStringConvertible {
    /// The schemes that are known; with `socks5h` the proxy looks the server's name up.
    package static let schemes = ["http", "https", "socks5h"]

    /// Without user and password.
    private let address: ServerAddress
    /// What stands before the `@`, percent-encoded as in any URL.
    private let credentials: Secret?

    /// Takes a URL apart; nil when it is not that of a proxy.
    ///
    /// The port must be written: each kind of proxy has its own habits.
    init?(_ url: String) {
        guard let mark = url.firstRange(of: "://") else { return nil }
        // A line break or the like could not stand in a header.
        guard !url.utf8.contains(where: { $0 <= 32 || $0 == 127 }) else { return nil }
        let rest = url[mark.upperBound...]
        let at = rest.lastIndex(of: "@")
        let server = at.map { rest[rest.index(after: $0)...] } ?? rest
        guard let address = try? ServerAddress(String(url[..<mark.upperBound]) + String(server)) else { return nil }
        guard Self.schemes.contains(address.scheme), address.port != nil, ["", "/"].contains(address.path) else {
            return nil
        }
        self.address = address
        credentials = at.map { Secret(String(rest[..<$0])) }
    }

    /// A name or an address.
    package var host: String { address.host }
    /// Whether the proxy runs on this machine.
    package var isLoopback: Bool { address.isLoopback }
    /// The URL without user and password.
    package var description: String { "\(address)" }

    /// The whole URL, for the call that connects.
    var revealed: String {
        guard let credentials else { return description }
        return "\(address.scheme)://\(credentials.revealed)@\(description.dropFirst(address.scheme.count + 3))"
    }
}
