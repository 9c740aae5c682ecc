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

/// A server in a separate process that misbehaves on demand.
package protocol Peer: AnyObject {
    /// The URL of the server, such as `http://127.0.0.1:8080/pub`.
    var url: String { get }

    /// Starts the server and waits until it listens; with `denying`, the server refuses clients without a login.
    func start(denying: Bool) throws

    func stop()

    func behave(_ manner: Manner) throws

    var bodies: [String] { get }

    /// When the server received each of `bodies`, in seconds since 1970.
    var arrivals: [Double] { get }
}

/// The error for a peer that is missing, did not start or did not answer.
package struct PeerMissing: Error {
    package let name: String

    package init(name: String) { self.name = name }
}

/// The paths of a certificate and its key, both PEM files.
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

    /// Makes a certificate for 127.0.0.1 that this authority has signed, valid between two moments such as `20260101000000Z`.
    package init(signedBy authority: Certificate, from start: String, until end: String, in scratch: Scratch) throws {
        guard let openssl = Self.openssl else { throw PeerMissing(name: "openssl") }
        let stem = "\(scratch.path)/signed-\(start)"
        (file, key) = (stem + ".pem", stem + ".key")
        let rules = [
            "[ca]", "default_ca = a", "[a]", "database = \(stem).index", "new_certs_dir = \(scratch.path)",
            "rand_serial = yes", "default_md = sha256", "policy = p", "x509_extensions = e", "[p]",
            "commonName = supplied", "[e]", "subjectAltName = IP:127.0.0.1", "",
        ]
        try scratch.write(rules.joined(separator: "\n"), to: "ca.conf")
        try scratch.write("", to: "signed-\(start).index")
        let request = ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-keyout", key]
        try Child(openssl, request + ["-out", stem + ".csr"]).wait()
        let signing = [
            "ca", "-batch", "-notext", "-config", "\(scratch.path)/ca.conf", "-cert", authority.file, "-keyfile",
            authority.key, "-startdate", start, "-enddate", end, "-in", stem + ".csr", "-out", file,
        ]
        try Child(openssl, signing).wait()
        guard FileManager.default.fileExists(atPath: file) else { throw PeerMissing(name: "a signed certificate") }
    }
}
