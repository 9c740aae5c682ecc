import Foundation

/// A proxy that misbehaves on demand, in front of a real server.
///
/// The header of scripts/lib/faultproxy.py lists the values of `manner`.
package final class FaultProxy {
    package static let missing: String? = WebServer.python == nil ? "python3 is missing" : nil

    package let port = freePort()
    private let scratch: Scratch
    private let child: Child

    /// Starts a proxy in front of the server on a port of this machine.
    package init(before server: UInt16, manner: String = "good", certificate: Certificate? = nil) throws {
        guard let python = WebServer.python else { throw PeerMissing(name: "python3") }
        scratch = try Scratch()
        try scratch.write(manner, to: "manner")
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let keys = certificate.map { ["--certificate", $0.file, "--key", $0.key] } ?? []
        let command = [
            root + "/scripts/lib/faultproxy.py", "--listen", "\(port)", "--to", "\(server)", "--manner",
            scratch.path + "/manner", "--log", scratch.path + "/log",
        ]
        child = try Child(python, command + keys)
        let port = port
        // With `refuse`, the proxy does not listen. With any other manner, `isListening` makes the first connection to the proxy.
        guard manner == "refuse" || eventually({ isListening(port) }) else {
            throw PeerMissing(name: "the fault proxy")
        }
    }

    /// The number of requests that the proxy has answered itself.
    package var answers: Int { scratch.lines(of: "log").count { $0.contains(#""answer":"#) } }

    /// Changes the manner; this breaks the open connections.
    package func behave(_ manner: String) throws { try scratch.write(manner, to: "manner") }
}
