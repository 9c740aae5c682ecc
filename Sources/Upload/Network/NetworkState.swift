/// The network of this computer at one moment: its addresses, and its default routes.
struct NetworkState: Sendable, Hashable {
    /// An address of an interface that is up and has a carrier; loopback addresses and IPv6 link-local addresses do not
    /// count.
    struct Address: Sendable, Hashable {
        let interface: String
        let text: String
    }

    struct Route: Sendable, Hashable {
        let interface: String
        let gateway: String
        /// 4 or 6.
        let family: Int
        /// The kernel uses the route with the lowest metric.
        let metric: Int
    }

    let addresses: [Address]
    let routes: [Route]
    /// The interfaces that the kernel's driver reports as mobile networks.
    var mobileInterfaces: [String] = []

    /// Whether this computer has an address with which it may reach another computer.
    var isAvailable: Bool { !addresses.isEmpty }

    /// The interfaces that connections may use: those of the default routes in use, one for IPv4 and one for IPv6.
    ///
    /// If no default route exists, these are all interfaces with an address.
    var uplinks: [String] {
        let inUse = [4, 6].compactMap { bestRoute(family: $0)?.interface }
        return Array(Set(inUse.isEmpty ? addresses.map(\.interface) : inUse)).sorted()
    }

    /// A connection may be dead if an address is gone, or if a default route of the earlier state is not in use any
    /// more.
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
