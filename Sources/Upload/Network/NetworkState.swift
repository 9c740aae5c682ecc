/// The network of this computer at one moment: its addresses, and its default routes.
package struct NetworkState: Sendable, Hashable {
    /// An address of an interface that is up and has a carrier; loopback addresses and IPv6 link-local addresses do not
    /// count.
    package struct Address: Sendable, Hashable {
        package let interface: String
        package let text: String

        package init(interface: String, text: String) { (self.interface, self.text) = (interface, text) }
    }

    package struct Route: Sendable, Hashable {
        package let interface: String
        package let gateway: String
        /// 4 or 6.
        package let family: Int
        /// The kernel uses the route with the lowest metric.
        package let metric: Int

        package init(interface: String, gateway: String, family: Int, metric: Int) {
            (self.interface, self.gateway, self.family, self.metric) = (interface, gateway, family, metric)
        }
    }

    package let addresses: [Address]
    package let routes: [Route]
    /// The interfaces that the kernel's driver reports as mobile networks.
    package let mobileInterfaces: [String]

    package init(addresses: [Address], routes: [Route], mobileInterfaces: [String] = []) {
        (self.addresses, self.routes, self.mobileInterfaces) = (addresses, routes, mobileInterfaces)
    }

    /// Whether this computer has an address with which it may reach another computer.
    package var isAvailable: Bool { !addresses.isEmpty }

    /// The interfaces that connections may use: those of the default routes in use, one for IPv4 and one for IPv6.
    ///
    /// If no default route exists, these are all interfaces with an address.
    package var uplinks: [String] {
        let inUse = [4, 6].compactMap { bestRoute(family: $0)?.interface }
        return Array(Set(inUse.isEmpty ? addresses.map(\.interface) : inUse)).sorted()
    }

    /// Returns whether a connection from the earlier state may be dead now.
    ///
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
