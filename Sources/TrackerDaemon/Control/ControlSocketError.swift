/// The socket for commands cannot be opened; the tracker goes on without it.
package struct ControlSocketError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why not.
    package enum Cause: Sendable, Hashable {
        /// The path has more bytes than the system allows.
        case tooLong(limit: Int)
        /// Another program answers there.
        case isInUse
        /// Something that is no socket lies there.
        case isNoSocket
        /// The system refuses it, for this reason.
        case refused(String)
    }

    /// The path.
    package let path: String
    /// Why not.
    package let cause: Cause

    /// What happened, and what to do.
    package var description: String {
        "\(path): \(reason) Until then `trackerd status` and the other commands do not reach the daemon."
    }

    private var reason: String {
        switch cause {
        case .tooLong(let limit):
            "the path of the control socket is longer than \(limit) bytes. Name a shorter one in `control.socket`."
        case .isInUse:
            "another program answers at the control socket. End it, or name another path in `control.socket`."
        case .isNoSocket:
            "a file lies where the control socket belongs. Remove it, or name another path in `control.socket`."
        case .refused(let reason):
            "the control socket cannot be made (\(reason)). Make the folder and let trackerd write to it, or name another path in `control.socket`."
        }
    }
}
