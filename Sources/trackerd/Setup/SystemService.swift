import Glibc

enum SystemService {
    /// systemd runs, and the service is installed.
    static var isThere: Bool {
        access("/run/systemd/system", F_OK) == 0 && run(["cat", "trackerd.service"], quietly: true) == 0
    }

    /// Now and at each start of the computer.
    static func start() -> Bool {
        run(["enable", "trackerd.service"], quietly: true) == 0 && run(["restart", "trackerd.service"]) == 0
    }

    /// -1 if it cannot be run, or if a signal ends it.
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
