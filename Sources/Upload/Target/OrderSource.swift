internal import Quantities
internal import Tracking

/// A file of orders that trackerd fetches at an interval.
package struct OrderSource: Sendable, Hashable {
    /// The permitted time between two requests.
    package static let intervals = Duration.seconds(60) ... .seconds(86_400)

    package let url: String
    package let interval: Duration

    package init(url: String, interval: Duration = .seconds(900)) {
        (self.url, self.interval) = (url, interval)
    }
}

extension TargetCheck {
    func orders(
        _ source: OrderSource?, of server: ServerAddress, _ access: TargetAccess, _ control: Set<RemotePermission>,
        proxy: ProxyAddress?
    ) throws(UploadTargetError) -> TargetAccess {
        guard let source else { return TargetAccess() }
        guard !control.isEmpty else {
            throw fault(
                "orders", "is set, but `control` permits no orders", "List the permitted orders under `control`.")
        }
        return try file(
            source.url, key: "orders", content: "orders", example: "https://fleet.example.net/van1.json", of: server,
            access, proxy: proxy)
    }

    /// Checks the address of a file with which a server controls the tracker, and returns the access for it. `key` is
    /// the section with the address. The secrets in `access` are sent only if the target's own `server` also has the
    /// file.
    func file(
        _ url: String, key: String, content: String, example: String, of server: ServerAddress, _ access: TargetAccess,
        proxy: ProxyAddress?
    ) throws(UploadTargetError) -> TargetAccess {
        guard let address = try? ServerAddress(url), ["https", "http"].contains(address.scheme) else {
            throw fault(
                key, "has a `url` that is not the address of a file on a web server",
                "Write a URL such as `\(example)`."
            )
        }
        guard address.scheme == "https" || address.staysHere(through: proxy) else {
            throw fault(
                key, "has a `url` without encryption, so anybody in the network could send \(content)", "Use https://.")
        }
        guard (address.scheme, address.host, address.port) == (server.scheme, server.host, server.port) else {
            return TargetAccess(caFile: access.caFile)
        }
        guard access.tokenEndpoint == nil else {
            throw fault(
                key, "cannot be used with a `token` that a server issues",
                "Use a user and a password, a `token` with a fixed value, or an address on another server.")
        }
        return access
    }
}
