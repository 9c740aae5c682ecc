internal import CLinux
internal import Glibc

/// Follows the network by the kernel's messages (rtnetlink(7)); for use on one thread only.
package final class NetworkMonitor {
    /// -1 if it could not be opened.
    let descriptor: Int32
    private let look: () -> NetworkState?
    private let drain: () -> Void
    /// Nil if the addresses could never be read; the caller then assumes a network.
    private(set) var state: NetworkState?

    package convenience init() {
        let descriptor = clinux_network_open()
        self.init(
            descriptor: descriptor, drain: { _ = clinux_network_drain(descriptor) }, look: { NetworkState.present() })
    }

    /// `drain` empties `descriptor`; `look` returns nil if the addresses cannot be read.
    init(descriptor: Int32, drain: @escaping () -> Void, look: @escaping () -> NetworkState?) {
        (self.descriptor, self.drain, self.look) = (descriptor, drain, look)
        // The descriptor is already open, so no change between this state and the first message is lost.
        state = look()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    struct Change: Sendable, Hashable {
        let state: NetworkState
        let breaksConnections: Bool
    }

    /// Nil if the network is the same, or if the addresses cannot be read.
    func take() -> Change? {
        drain()
        guard let now = look(), now != state else { return nil }
        defer { state = now }
        return Change(state: now, breaksConnections: state.map(now.breaksConnections(from:)) ?? false)
    }
}

extension NetworkState {
    /// The limit of addresses and of routes, which is enough for many containers.
    private static let capacity = 256

    /// Nil if the addresses cannot be read.
    static func present() -> NetworkState? {
        var links = [clinux_link](repeating: clinux_link(), count: capacity)
        let count = clinux_network_addresses(&links, Int32(capacity))
        guard count >= 0 else { return nil }
        let addresses = links.prefix(Int(count)).map { Address(interface: $0.name, text: $0.words) }
        let routeCount = clinux_network_default_routes(&links, Int32(capacity))
        let routes = links.prefix(Int(routeCount)).map {
            Route(interface: $0.name, gateway: $0.words, family: Int($0.family), metric: Int($0.metric))
        }
        let names = Set(addresses.map(\.interface) + routes.map(\.interface)).sorted()
        return NetworkState(
            addresses: addresses, routes: routes, mobileInterfaces: names.filter { clinux_network_is_mobile($0) })
    }
}

extension clinux_link {
    fileprivate var name: String { Self.text(interface) }
    fileprivate var words: String { Self.text(text) }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
