internal import Glibc

package struct NetworkPolicy: Sendable, Hashable {
    /// The names of the allowed interfaces, with `*` and `?`; an empty list allows all.
    package var interfaces: [String] = []
    package var allowsMetered = true
    /// Interfaces where traffic costs money, with `*` and `?`.
    package var meteredInterfaces = usualMeteredInterfaces

    /// The usual names of mobile modems (`ww` in systemd.net-naming-scheme(7), the kernel's drivers `wwan` and `rmnet`, `ppp`
    /// of pppd), and of telephones that share their mobile connection (`usb` of the driver usbnet).
    package static let usualMeteredInterfaces = ["wwan*", "ww[px]*", "rmnet*", "ppp*", "usb*"]

    /// Why the network must not be used; nil also if there is no network.
    func obstacle(in state: NetworkState) -> String? {
        for uplink in state.uplinks {
            if !interfaces.isEmpty, !Self.matches(uplink, interfaces) {
                return "the network is \(uplink), which is not one of `interfaces`"
            }
            if !allowsMetered, isMetered(uplink, in: state) {
                return "the network is \(uplink), which is metered"
            }
        }
        return nil
    }

    func isMetered(_ state: NetworkState) -> Bool { state.uplinks.contains { isMetered($0, in: state) } }

    private func isMetered(_ uplink: String, in state: NetworkState) -> Bool {
        state.mobileInterfaces.contains(uplink) || Self.matches(uplink, meteredInterfaces)
    }

    private static func matches(_ name: String, _ patterns: [String]) -> Bool {
        patterns.contains { fnmatch($0, name, 0) == 0 }
    }
}
