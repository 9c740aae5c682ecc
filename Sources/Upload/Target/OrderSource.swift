internal import Quantities

/// A file on a web server that contains orders for the tracker; trackerd fetches the file again and again.
package struct OrderSource: Sendable, Hashable {
    /// The permitted times between two requests.
    package static let intervals = Duration.seconds(60) ... .seconds(86_400)

    /// The address of the file.
    package let url: String
    /// The time between two requests.
    package let interval: Duration

    /// Describes a file.
    package init(url: String, interval: Duration = .seconds(900)) {
        (self.url, self.interval) = (url, interval)
    }
}

extension TargetCheck {
    /// Checks the address of the file with orders.
    ///
    /// - `server`: the target's address; trackerd sends the secrets in `access` only if this server also has the file.
    ///
    /// Returns the access for the file.
    func orders(
        _ source: OrderSource?, of server: ServerAddress, _ access: TargetAccess, _ control: Set<RemotePermission>,
        proxy: ProxyAddress?
    ) throws(UploadTargetError) -> TargetAccess {
        guard let source else { return TargetAccess() }
        let remedy = "Write a URL such as `https://fleet.example.net/van1.json`."
        guard let address = try? ServerAddress(source.url), ["https", "http"].contains(address.scheme) else {
            throw fault("orders", "has a `url` that is not the address of a file on a web server", remedy)
        }
        guard address.scheme == "https" || address.staysHere(through: proxy) else {
            throw fault(
                "orders",
                "has a `url` without encryption, so anybody in the network could send orders",
                "Use https://.")
        }
        guard !control.isEmpty else {
            throw fault(
                "orders", "is set, but `control` permits no orders", "List the permitted orders under `control`.")
        }
        guard (address.scheme, address.host, address.port) == (server.scheme, server.host, server.port) else {
            return TargetAccess(caFile: access.caFile)
        }
        guard access.tokenEndpoint == nil else {
            throw fault(
                "orders", "cannot be used with a `token` that a server issues",
                "Use a user and a password, a `token` with a fixed value, or an address on another server.")
        }
        return access
    }
}
