import Glibc
package import Hardware
package import Quantities
package import Tracking

/// Runs `trackerd doctor --json` in a process of its own, because the checks wait for devices and servers. It has the
/// daemon's user and rights, so its findings apply to the daemon. All clients that ask while it runs get its findings.
package final class DoctorDesk: EventSource {
    package var name: String { "doctor" }

    private static let longest = Duration.seconds(60)
    /// For this time, later clients get the same findings instead of a new run, which would connect to all servers again.
    private static let validity = Duration.seconds(15)
    /// The limit of the output in bytes; real reports have some kilobytes.
    private static let mostOutput = 256 * 1024

    private struct Run {
        let process: pid_t
        let output: Int32
        let time: Timestamp
        let deadline: Instant
        var bytes: [UInt8] = []
    }

    private let command: [String]
    private let pace: Double
    private var run: Run?
    private var clients: [(connection: ControlConnection, id: String?)] = []
    private var last: (examination: ControlExamination, at: Instant)?
    /// Ended processes whose exit status the system still stores.
    private var ended: [pid_t] = []

    /// `pace`: how much faster the loop's clock runs than real time.
    package init(command: [String], pace: Double = 1) {
        self.command = command
        self.pace = pace
    }

    package var wait: Wait { run.map { Wait(.read($0.output), deadline: $0.deadline) } ?? Wait() }

    /// Returns recent findings; nil if the client gets new ones when the checks are complete.
    package func examine(
        for client: ControlConnection, id: String?, time: Timestamp, at now: Instant
    ) throws(ControlError) -> ControlExamination? {
        if let last, now - last.at < Self.validity * pace { return last.examination }
        if run == nil { run = try start(time, at: now) }
        clients.removeAll(where: \.connection.isClosed)
        clients.append((client, id))
        return nil
    }

    package func advance(at now: Instant) -> [Event] {
        reap()
        guard let output = run?.output else { return [] }
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while let size = run?.bytes.count {
            let count = read(output, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0, size < Self.mostOutput else {
                finish(at: now)
                return []
            }
            run?.bytes += chunk[..<count]
        }
        if let deadline = run?.deadline, now >= deadline { finish(at: now) }
        return []
    }

    package func close(at now: Instant, by deadline: Instant) { end() }

    // MARK: - The process

    private func start(_ time: Timestamp, at now: Instant) throws(ControlError) -> Run {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.refused(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        defer { Glibc.close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let words = command.map { strdup($0) }
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let cause = posix_spawn(&process, command[0], &actions, nil, words + [nil], environ)
        guard cause == 0 else {
            Glibc.close(ends[0])
            throw Self.refused(cause)
        }
        return Run(process: process, output: ends[0], time: time, deadline: now + Self.longest * pace)
    }

    private static func refused(_ cause: Int32) -> ControlError {
        ControlError(
            "the system did not start the doctor (\(String(cString: strerror(cause)))). Run `trackerd doctor`.")
    }

    private func finish(at now: Instant) {
        guard let run else { return }
        end()
        let examination = ControlExamination(run.bytes, time: run.time)
        if let examination { last = (examination, now) }
        for client in clients {
            let reply = examination.map { ControlReply.success($0, id: client.id) }
            client.connection.answer(reply ?? .failure(Self.incomplete, id: client.id), at: now)
        }
        clients = []
    }

    private static let incomplete =
        "the doctor did not complete its checks within a minute. Run `sudo -u trackerd trackerd doctor` on the tracker."

    private func end() {
        guard let run else { return }
        kill(run.process, SIGKILL)
        Glibc.close(run.output)
        ended.append(run.process)
        self.run = nil
        reap()
    }

    private func reap() {
        ended.removeAll { process in
            let result = waitpid(process, nil, WNOHANG)
            return result == process || result < 0 && errno == ECHILD
        }
    }
}
