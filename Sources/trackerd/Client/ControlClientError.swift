import Quantities

/// A command did not get an answer from the daemon, or got one that says no.
enum ControlClientError: Error, Hashable, CustomStringConvertible {
    /// Nobody listens at the socket.
    case noDaemon(path: String, cause: String)
    /// The daemon is not for this user.
    case forbidden(path: String)
    /// The daemon went away before it had answered.
    case ended(path: String)
    /// The daemon does not answer.
    case silent(path: String, seconds: Int)
    /// What it answered is not known here: another version of the program.
    case unreadable(path: String)
    /// The daemon says no, and why.
    case refused(String)

    var description: String {
        switch self {
        case .noDaemon(let path, let cause):
            """
            \(path): no daemon answers there (\(cause)). Start it with `systemctl start trackerd`, or tell where it \
            listens with --socket or --config.
            """
        case .forbidden(let path):
            "\(path): this user may not talk to the daemon. Join the group trackerd, or use sudo."
        case .ended(let path): "\(path): the daemon ended before it had answered. Look into its log."
        case .silent(let path, let seconds):
            "\(path): the daemon has not answered within \(seconds) s. Look into its log, or restart it."
        case .unreadable(let path):
            "\(path): the daemon's answer is not understood. Restart it if trackerd was updated since it started."
        case .refused(let reason): reason.printable(limit: 4000)
        }
    }
}
