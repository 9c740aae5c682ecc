import Foundation
import Glibc

/// The program, with its log in a file; its standard input and output are /dev/null.
///
/// The code does not use Foundation's `Process`, because the timers of `Process` never fire in virtual time.
final class LabDaemon {
    private let pid: pid_t
    private let log: String
    private var status: Int32?

    init(_ arguments: [String], log: String) throws {
        self.log = log
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var words: [UnsafeMutablePointer<CChar>?] = ([Lab.program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let failure = posix_spawn(&pid, Lab.program, &actions, nil, &words, environ)
        guard failure == 0 else { throw POSIXError(.init(rawValue: failure) ?? .EIO) }
        self.pid = pid
    }

    deinit {
        guard status == nil else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    var logged: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// Counts the voluntary context switches of all threads since their start.
    func wakeUps() throws -> Int {
        let tasks = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
            let lines = try Lab.read("\(tasks)/\(task)/status").split(separator: "\n")
            let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }

    /// Asks the program to end and waits at most half a minute; returns its exit status, the negative number of the signal that
    /// killed it, or nil if it has not ended.
    func end() -> Int32? {
        kill(pid, SIGTERM)
        for _ in 0..<3000 where status == nil {
            var word: Int32 = 0
            if waitpid(pid, &word, WNOHANG) == pid { status = word & 0x7F == 0 ? word >> 8 & 0xFF : -(word & 0x7F) }
            usleep(10_000)
        }
        return status
    }
}
