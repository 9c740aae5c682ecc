import Foundation

/// A certificate that signs itself, for one name, and its key.
package struct Certificate {
    package static let openssl = Child.find("openssl")

    package let file: String
    package let key: String

    /// A certificate that is there already.
    package init(file: String, key: String) { (self.file, self.key) = (file, key) }

    package init(for name: String, in scratch: Scratch) throws {
        guard let openssl = Self.openssl else { throw PeerMissing(name: "openssl") }
        file = "\(scratch.path)/\(name).pem"
        key = "\(scratch.path)/\(name).key"
        let arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext",
            "subjectAltName=\(name == "127.0.0.1" ? "IP" : "DNS"):\(name)", "-keyout", key, "-out", file,
        ]
        let child = try Child(openssl, arguments)
        child.wait()
        guard FileManager.default.fileExists(atPath: file) else { throw PeerMissing(name: "a certificate") }
    }
}
