import Foundation

/// A server's reaction to data.
package enum Manner: String, Sendable {
    /// Accepts the data and acknowledges them.
    case good
    /// Accepts the data without an acknowledgement.
    case mute
    /// Closes the connection instead of answering.
    case cut
}

/// A real server on the loopback interface behind a relay that misbehaves on demand.
package protocol Peer: AnyObject {
    /// The URL of the server, such as `http://127.0.0.1:8080/pub`.
    var url: String { get }

    /// Starts the server and waits until the server listens; with `denying`, the server refuses all clients.
    func start(denying: Bool) throws

    /// Kills the server.
    func stop()

    func behave(_ manner: Manner) throws

    /// The received bodies in order.
    var bodies: [String] { get }
}

/// The error for a peer that did not start.
package struct PeerMissing: Error {
    package let name: String

    package init(name: String) { self.name = name }
}

/// A self-signed certificate for one name, and its key.
package struct Certificate {
    package static let openssl = Child.find("openssl")

    package let file: String
    package let key: String

    /// Uses an existing certificate.
    package init(file: String, key: String) { (self.file, self.key) = (file, key) }

    package init(for name: String, in scratch: Scratch) throws {
        guard let openssl = Self.openssl else { throw PeerMissing(name: "openssl") }
        file = "\(scratch.path)/\(name).pem"
        key = "\(scratch.path)/\(name).key"
        let arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext",
            "subjectAltName=\(["127.0.0.1", "::1"].contains(name) ? "IP" : "DNS"):\(name)", "-keyout", key, "-out",
            file,
        ]
        let child = try Child(openssl, arguments)
        child.wait()
        guard FileManager.default.fileExists(atPath: file) else { throw PeerMissing(name: "a certificate") }
    }
}
