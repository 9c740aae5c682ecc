/// What a server does with what it is sent.
package enum Manner: String, Sendable {
    /// Takes it, and says so.
    case good
    /// Takes it, and does not say so.
    case mute
    /// Breaks the connection instead of an answer.
    case cut
}

/// A real server on the loopback interface, with something in front of it that misbehaves on demand.
package protocol Peer: AnyObject {
    /// Such as `http://127.0.0.1:8080/pub`.
    var url: String { get }

    /// Starts it, and waits until it listens; `denying` turns everybody away.
    func start(denying: Bool) throws

    /// Kills it.
    func stop()

    func behave(_ manner: Manner) throws

    /// The bodies that have arrived, in order of arrival.
    var bodies: [String] { get }
}

/// A peer that did not come up.
package struct PeerMissing: Error {
    package let name: String

    package init(name: String) { self.name = name }
}
