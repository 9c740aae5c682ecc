import Foundation
import Peers

/// The lab's modem `wwan0`, and a web server behind it that records requests.
enum LabServer {
    static let missing = [("python3", WebServer.python), ("iproute2", Child.find("ip"))].filter { $0.1 == nil }.map(\.0)

    static let address = "10.99.0.1"

    /// Makes a server behind the link, and leaves the link as it is.
    static func make() throws -> WebServer {
        try WebServer(host: address, prefix: [ip, "netns", "exec", "net"])
    }

    /// Switches the modem on or off; while it is off, the program can reach no server.
    static func isLinkUp(_ isUp: Bool) throws {
        try run("link", "set", "wwan0", isUp ? "up" : "down")
        if isUp { try run("route", "replace", "default", "via", "10.99.0.1") }
    }

    private static let ip = Child.find("ip") ?? "ip"

    private static func run(_ arguments: String...) throws { try Child(ip, arguments).wait() }
}
