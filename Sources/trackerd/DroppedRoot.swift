import Configuration
import Glibc

/// If root starts the daemon, the daemon continues as the user of the service, so that this user owns the files.
enum DroppedRoot {
    private static let user = CheckingUser.service

    /// Changes the user from root to the user of the service; returns whether the user has changed.
    ///
    /// If the user of the service does not exist, the daemon continues as root. setuid(2) also clears all capabilities, and
    /// prevents core dumps of the process.
    static func drop() throws(DroppedRootError) -> Bool {
        guard geteuid() == 0, let entry = getpwnam(user)?.pointee else { return false }
        guard initgroups(user, entry.pw_gid) == 0, setgid(entry.pw_gid) == 0, setuid(entry.pw_uid) == 0,
            // The process must not be able to become root again.
            setuid(0) != 0
        else { throw DroppedRootError(cause: String(cString: strerror(errno))) }
        return true
    }

    static let note =
        "trackerd continues as the user \(user), because root started the program. To continue as root, add `--allow-root`."
}

/// The system did not allow root to become another user.
struct DroppedRootError: Error, CustomStringConvertible {
    let cause: String

    var description: String {
        "trackerd cannot continue as the user trackerd (\(cause)). Start the service, or run the command as the user trackerd."
    }
}
