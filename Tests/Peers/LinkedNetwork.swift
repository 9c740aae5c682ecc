import Foundation
import Glibc

/// A network namespace with a single link to this machine; a test can take the link down and bring it up.
///
/// A program that a test starts with `prefix` runs inside the namespace; servers on `host` are outside.
package final class LinkedNetwork {
    private static let ip = Child.find("ip")

    /// The reason why this machine cannot make such a network; nil if it can.
    package static let missing: String? = {
        guard ip != nil else { return "iproute2 is missing: apt install iproute2" }
        guard geteuid() == 0 else { return "network namespaces need root" }
        let name = "trk\(getpid())probe"
        defer { run("netns", "del", name) }
        return run("netns", "add", name) ? nil : "this machine allows no network namespaces"
    }()

    /// The address of this machine, as seen from inside the namespace.
    package let host: String
    /// The command that runs another command inside the network.
    package let prefix: [String]
    private let name: String
    private let outside: String
    private let inside: String

    /// Makes a network whose link is up.
    package init() throws {
        guard let ip = Self.ip else { throw PeerMissing(name: "iproute2") }
        let number = Int(freePort())
        let subnet = "10.\(number / 256).\(number % 256)"
        (name, outside, inside) = ("trk\(number)", "trko\(number)", "trki\(number)")
        host = "\(subnet).1"
        prefix = [ip, "netns", "exec", name]
        let made =
            Self.run("netns", "add", name)
            && Self.run("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name)
            && Self.run("address", "add", "\(host)/30", "dev", outside)
            && Self.run("link", "set", outside, "up")
            && Self.run("-n", name, "address", "add", "\(subnet).2/30", "dev", inside)
            && Self.run("-n", name, "link", "set", "lo", "up") && setUp(true)
        guard made else { throw PeerMissing(name: "a network namespace") }
    }

    deinit {
        Self.run("link", "del", outside)
        Self.run("netns", "del", name)
    }

    @discardableResult
    package func setUp(_ isUp: Bool) -> Bool { Self.run("-n", name, "link", "set", inside, isUp ? "up" : "down") }

    @discardableResult
    private static func run(_ arguments: String...) -> Bool {
        guard let ip, let child = try? Child(ip, arguments) else { return false }
        child.wait()
        return child.status == 0
    }
}
