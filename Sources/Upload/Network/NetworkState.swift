struct NetworkState: Sendable, Hashable {
    /// An address of an interface that is up and has a carrier; neither loopback nor IPv6 link-local.
    struct Address: Sendable, Hashable {
        let interface: String
        let text: String
    }

    struct Route: Sendable, Hashable {
        let interface: String
        let gateway: String
        let family: Int
        /// The route with the lowest metric is in use.
        let metric: Int
    }

    let addresses: [Address]
    let routes: [Route]
    /// The interfaces to which the kernel gives the type `wwan`.
    var mobileInterfaces: [String] = []

    var isAvailable: Bool { !addresses.isEmpty }

    /// The interfaces of the default routes for IPv4 and IPv6, or, without such a route, all interfaces with an
    /// address.
    var uplinks: [String] {
        let inUse = [4, 6].compactMap { bestRoute(family: $0)?.interface }
        return Array(Set(inUse.isEmpty ? addresses.map(\.interface) : inUse)).sorted()
    }

    /// True if an address is gone, or a default route is not in use any more.
    func breaksConnections(from earlier: NetworkState) -> Bool {
        !Set(addresses).isSuperset(of: earlier.addresses)
            || [4, 6].contains { family in
                earlier.bestRoute(family: family).map { $0 != bestRoute(family: family) } ?? false
            }
    }

    private func bestRoute(family: Int) -> Route? {
        routes.filter { $0.family == family }.min { $0.metric < $1.metric }
    }
}
