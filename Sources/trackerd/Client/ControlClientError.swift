import Quantities

/// A command got no reply from the daemon, or one that reports an error.
enum ControlClientError: Error, Hashable, CustomStringConvertible {
    /// No daemon listens at the socket.
    case noDaemon(path: String, cause: String)
    /// This user has no permission to use the socket.
    case forbidden(path: String)
    /// The daemon closed the socket before it replied.
    case ended(path: String)
    /// The daemon does not reply in time.
    case silent(path: String, seconds: Int)
    /// The reply cannot be decoded: the daemon is another version of the program.
    case unreadable(path: String)
    /// The daemon did not carry the request out, for this reason.
    case refused(String)

    var description: String {
        switch self {
        case .noDaemon(let path, let cause):
            """
            \(path): no daemon answers there (\(cause)). Start it with `systemctl start trackerd`, or name its \
            socket with --socket or --config.
            """
        case .forbidden(let path):
            "\(path): this user has no permission to use the socket. Join the group trackerd, or use sudo."
        case .ended(let path): "\(path): the daemon closed the connection before it replied. Check its log."
        case .silent(let path, let seconds):
            "\(path): the daemon has not replied within \(seconds) s. Check its log, or restart it."
        case .unreadable(let path):
            "\(path): the daemon's reply cannot be decoded. Restart the daemon if trackerd was updated since it started."
        case .refused(let reason): reason.printable(limit: 4000)
        }
    }
}
