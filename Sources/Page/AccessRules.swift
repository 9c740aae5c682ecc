/// Rejects requests whose `Host` is not a name of this page. Otherwise a foreign site could let its own name resolve to
/// 127.0.0.1, and read the page through the owner's browser (DNS rebinding).
package struct HostRule: Sendable, Hashable {
    private let names: Set<String>
    /// True if the page listens at all addresses of the computer.
    private let includesAddresses: Bool

    package init(_ address: ListenAddress, names: [String]) {
        var known = Set(names.map { $0.lowercased() })
        if address.isLocal { known.formUnion(["localhost", "127.0.0.1", "[::1]"]) }
        if let host = address.host { known.insert(host) }
        self.names = known
        includesAddresses = address.isWildcard
    }

    /// Ignores the port: a tunnel may use another one.
    package func admits(_ header: String?) -> Bool {
        guard let name = header.map({ Self.name(in: $0) }) else { return false }
        return names.contains(name) || (includesAddresses && Self.isAddress(name))
    }

    /// Returns whether the name is an address in the form that URLs use.
    private static func isAddress(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return name.hasPrefix("[") || (parts.count == 4 && parts.allSatisfy { UInt8($0) != nil })
    }

    static func name(in header: String) -> String {
        let text = header.lowercased()
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[...end]) }
        return String(text.prefix { $0 != ":" })
    }
}

/// Rejects requests that another site sends through the owner's browser.
package enum OriginRule {
    /// Browsers send `Origin` with every POST, and `Sec-Fetch-Site` with every request through TLS or to this computer.
    /// Another site may only link to the page.
    package static func admits(method: String, path: String, host: String?, origin: String?, site: String?) -> Bool {
        if let origin {
            guard let host, origin == "http://\(host)" || origin == "https://\(host)" else { return false }
        } else if method != "GET" {
            return false
        }
        guard let site else { return true }
        return site == "same-origin" || site == "none" || (method == "GET" && path == "/")
    }
}

package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A Unix socket, for a web server on this computer.
    case socket(path: String)
    /// For port 0, the system chooses a port.
    case internet(address: String, port: UInt16)

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, a port alone, or the path of a Unix socket.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            self = .socket(path: text)
            return
        }
        guard let colon = text.lastIndex(of: ":") else {
            guard let port = UInt16(text) else { return nil }
            self = .internet(address: "127.0.0.1", port: port)
            return
        }
        guard let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        let host = String(text[..<colon])
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let address = isBracketed ? String(host.dropFirst().dropLast()) : host
        guard !address.isEmpty, address.contains(":") == isBracketed else { return nil }
        self = .internet(address: address == "localhost" ? "127.0.0.1" : address, port: port)
    }

    package var isLocal: Bool {
        switch self {
        case .socket: true
        case .internet(let address, _): address == "::1" || address.hasPrefix("127.")
        }
    }

    package var isWildcard: Bool {
        if case .internet(let address, _) = self { return address == "0.0.0.0" || address == "::" }
        return false
    }

    package var host: String? {
        switch self {
        case .socket: nil
        case .internet(let address, _): address.contains(":") ? "[\(address)]" : address
        }
    }

    package var description: String {
        switch self {
        case .socket(let path): path
        case .internet(_, let port): "\(host ?? ""):\(port)"
        }
    }
}
