import Glibc

/// The service that the package installs for systemd.
enum SystemService {
    /// Whether systemd is running and the service is installed.
    static var isThere: Bool {
        access("/run/systemd/system", F_OK) == 0 && run(["cat", "trackerd.service"], quietly: true) == 0
    }

    /// Starts the service now and at each start of the computer; returns whether this succeeded.
    static func start() -> Bool {
        run(["enable", "trackerd.service"], quietly: true) == 0 && run(["restart", "trackerd.service"]) == 0
    }

    /// Runs systemctl; returns its exit status, or -1 if systemctl cannot be run or a signal ends it.
    private static func run(_ arguments: [String], quietly: Bool = false) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if quietly {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        let words = (["systemctl"] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, "systemctl", &actions, nil, words + [nil], environ) == 0 else { return -1 }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }
}
