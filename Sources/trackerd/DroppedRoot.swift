import Glibc

/// If root starts the daemon, the daemon continues as the user of the service, so that this user owns the files.
enum DroppedRoot {
    /// The user that the Debian package creates.
    private static let user = "trackerd"

    /// Gives up the rights of root; returns whether it did so.
    ///
    /// If the user of the service does not exist, the daemon remains root. setuid(2) also clears all capabilities and makes the
    /// process undumpable.
    static func drop() throws(DroppedRootError) -> Bool {
        guard geteuid() == 0, let entry = getpwnam(user)?.pointee else { return false }
        guard initgroups(user, entry.pw_gid) == 0, setgid(entry.pw_gid) == 0, setuid(entry.pw_uid) == 0,
            // The process must not be able to become root again.
            setuid(0) != 0
        else { throw DroppedRootError(cause: String(cString: strerror(errno))) }
        return true
    }

    /// The note for the log.
    static let note =
        "trackerd continues as the user \(user), because root started the program. `--allow-root` prevents this change of the user."
}

/// The system did not allow root to become another user.
struct DroppedRootError: Error, CustomStringConvertible {
    let cause: String

    var description: String {
        "trackerd cannot continue as the user trackerd (\(cause)). Start the service, or run the command as the user trackerd."
    }
}
