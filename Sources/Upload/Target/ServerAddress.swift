/// A server's URL without user and password.
package struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// In lower case.
    package let scheme: String
    /// The host without the brackets of IPv6.
    package let host: String
    package let port: Int?
    /// The rest of the URL from the first `/`, `?` or `#`.
    package let path: String

    package init(_ url: String) throws(ServerAddressError) {
        guard let mark = url.firstRange(of: "://"), !url.utf8.contains(where: { $0 <= 32 || $0 == 127 }) else {
            throw .malformed
        }
        let rest = url[mark.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@") else { throw .containsCredentials }
        guard let (host, port) = try Self.split(authority), !host.isEmpty else { throw .malformed }
        scheme = url[..<mark.lowerBound].lowercased()
        self.host = String(host)
        self.port = port
        path = String(rest[end...])
    }

    package var description: String { url(path) }

    func url(_ path: String) -> String {
        let written = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(written)\(port.map { ":\($0)" } ?? "")\(path)"
    }

    /// True for 127.0.0.0/8, `::1` and `localhost`. The system may ask the network for other names, such as
    /// `x.localhost`.
    package var isLoopback: Bool {
        let name = host.lowercased()
        if name == "localhost" || name == "::1" { return true }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// Returns whether the data stay on this computer; false if a proxy elsewhere receives them first.
    func staysHere(through proxy: ProxyAddress?) -> Bool { isLoopback && proxy?.isLoopback != false }

    private static func split(_ authority: Substring) throws(ServerAddressError) -> (host: Substring, port: Int?)? {
        var host = authority
        var rest = Substring()
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<bracket]
            rest = authority[authority.index(after: bracket)...]
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            rest = authority[colon...]
        }
        guard !rest.isEmpty else { return (host, nil) }
        guard rest.first == ":" else { return nil }
        guard let port = UInt16(rest.dropFirst()), port > 0 else { throw .wrongPort(String(rest.dropFirst())) }
        return (host, Int(port))
    }
}

package enum ServerAddressError: Error, Sendable, Hashable {
    case malformed
    case containsCredentials
    case wrongPort(String)
}

/// `http://`, `https://` or `socks5h://`, with or without user and password.
package struct ProxyAddress: Sendable, Hashable, CustomStringConvertible {
    /// With `socks5h` the proxy resolves the name.
    package static let schemes = ["http", "https", "socks5h"]

    private let address: ServerAddress
    /// The part before the `@`, percent-encoded.
    private let credentials: Secret?

    /// Nil also if the URL has no port, because each kind of proxy has another usual one.
    init?(_ url: String) {
        guard let mark = url.firstRange(of: "://") else { return nil }
        // The URL becomes part of a header line, which must not contain control characters.
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

    package var host: String { address.host }
    package var isLoopback: Bool { address.isLoopback }
    package var description: String { "\(address)" }

    /// The URL with user and password, for the call that connects.
    var revealed: String {
        guard let credentials else { return description }
        return "\(address.scheme)://\(credentials.revealed)@\(description.dropFirst(address.scheme.count + 3))"
    }
}
