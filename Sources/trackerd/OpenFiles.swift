import Glibc

/// The system's limit for the number of open files.
enum OpenFiles {
    /// With two servers, beacons, GPIO lines and eight clients of the control socket, the daemon opens about fifty files.
    private static let sufficient: rlim_t = 128

    /// Raises the limit to 128 if it is lower.
    ///
    /// With a lower limit, the program would fail later, when it opens a file to record or to upload.
    static func raiseLimit() throws(OpenFilesError) {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0, limit.rlim_cur < sufficient else { return }
        limit.rlim_cur = min(sufficient, limit.rlim_max)
        guard limit.rlim_cur >= sufficient, setrlimit(kind, &limit) == 0 else {
            throw OpenFilesError(limit: Int(limit.rlim_max), needed: Int(sufficient))
        }
    }
}

/// The limit for open files is too low, and the system does not raise it.
struct OpenFilesError: Error, CustomStringConvertible {
    let limit: Int
    let needed: Int

    /// What happened, and what to do.
    var description: String {
        """
        the limit for open files is \(limit), and trackerd needs \(needed). Raise the limit (`LimitNOFILE=` in the unit, or \
        `ulimit -n`).
        """
    }
}
