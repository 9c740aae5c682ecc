/// Where a server is: the parts of a URL that we use, without user and password.
package struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with a URL.
    package enum Fault: Error, Sendable, Hashable {
        /// It is not of the form `scheme://host`.
        case malformed
        /// It holds a user or a password.
        case holdsCredentials
    }

    /// In lower case, such as `https`.
    package let scheme: String
    /// A name or an address, without the brackets of IPv6.
    package let host: String
    /// The port, when it is written down.
    package let port: Int?
    /// Path and query, from the first slash; may be empty.
    package let path: String

    /// Takes a URL apart.
    package init(_ url: String) throws(Fault) {
        guard let mark = url.firstRange(of: "://"), !url.utf8.contains(where: { $0 <= 32 || $0 == 127 }) else {
            throw .malformed
        }
        let rest = url[mark.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@") else { throw .holdsCredentials }
        guard let (host, port) = Self.split(authority), !host.isEmpty else { throw .malformed }
        scheme = url[..<mark.lowerBound].lowercased()
        self.host = String(host)
        self.port = port
        path = String(rest[end...])
    }

    /// The URL again.
    package var description: String {
        let written = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(written)\(port.map { ":\($0)" } ?? "")\(path)"
    }

    /// Whether the server runs on this machine, so that nobody can listen in between.
    ///
    /// Of names only `localhost`: the system may ask the network for the address of `x.localhost`.
    package var isLoopback: Bool {
        let name = host.lowercased()
        if name == "localhost" || name == "::1" { return true }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    private static func split(_ authority: Substring) -> (host: Substring, port: Int?)? {
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
        guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (host, Int(port))
    }
}
