import Glibc
package import Hardware
package import Quantities
package import Tracking

/// Halts the board through the init system. If the clock must wake the board, its alarm is set first. The system may
/// refuse the halt, so the command's end is checked.
package final class SystemHalter: Halter {
    /// If the system refuses, it does so soon after the request.
    private static let checkInterval = Duration.seconds(1)

    package var name: String { "halt" }
    package var fault: (any Fault)? { error }

    private let command: [String]
    private let alarm: String
    private var child: (pid: pid_t, checkAt: Instant)?
    private var error: HaltError?

    /// The file of the alarm is described under `rtc` in the kernel's documentation.
    package init(command: [String] = ["systemctl", "poweroff"], alarm: String = "/sys/class/rtc/rtc0/wakealarm") {
        self.command = command
        self.alarm = alarm
    }

    package var wait: Wait { Wait(deadline: child?.checkAt) }

    package func advance(at now: Instant) -> [Event] {
        guard let (pid, checkAt) = child, now >= checkAt else { return [] }
        var status: Int32 = 0
        child = waitpid(pid, &status, WNOHANG) == 0 ? (pid, now + Self.checkInterval) : nil
        guard child == nil, status != 0 else { return [] }
        let refused = HaltError.refused(command: words)
        error = refused
        return [.haltRefused(reason: "\(refused.subject): \(refused.cause)")]
    }

    package func halt(wakeAfter: Duration?, at now: Instant) {
        guard child == nil else { return }
        error = nil
        if let wakeAfter, let reason = set(wakeAfter) {
            // Nothing would wake the board, so do not halt it.
            error = .noAlarm(file: alarm, reason: reason)
            return
        }
        var pid = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.restoreSignals(&attributes)
        let failure = posix_spawnp(&pid, command.first ?? "", nil, &attributes, &arguments, environ)
        guard failure == 0 else {
            error = .notRun(command: words, reason: String(cString: strerror(failure)))
            return
        }
        child = (pid, now + Self.checkInterval)
    }

    /// Otherwise a child would also block signals and ignore SIGPIPE, as the daemon does.
    private static func restoreSignals(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        sigemptyset(&none)
        var brokenPipe = sigset_t()
        sigemptyset(&brokenPipe)
        sigaddset(&brokenPipe, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &brokenPipe)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    private var words: String { command.joined(separator: " ") }

    /// Returns why the alarm is not set; nil on success.
    private func set(_ span: Duration) -> String? {
        // The kernel refuses a new alarm until the old alarm is cleared.
        if let reason = Pseudofile.write("0", to: alarm) ?? Pseudofile.write("+\(Int(span.inSeconds))", to: alarm) {
            return reason
        }
        return isSet(for: span) ? nil : "it is not set when it is read back"
    }

    /// Without an alarm the file is empty; with a wrong time the board would wake too late or not at all. If the
    /// clock's time cannot be read, any alarm is accepted.
    private func isSet(for span: Duration) -> Bool {
        guard let moment = Int(Pseudofile.text(of: alarm)), moment > 0 else { return false }
        let folder = alarm.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard let now = Int(Pseudofile.text(of: folder + "/since_epoch")) else { return true }
        return (1...Int(span.inSeconds) + 1).contains(moment - now)
    }
}

package enum HaltError: Fault {
    case noAlarm(file: String, reason: String)
    case notRun(command: String, reason: String)
    case refused(command: String)

    package var subject: String {
        switch self {
        case .noAlarm(let file, _): file
        case .notRun(let command, _), .refused(let command): command
        }
    }

    package var cause: String {
        switch self {
        case .noAlarm(_, let reason): "the alarm cannot be set (\(reason)); the board is not halted"
        case .notRun(_, let reason): "the command cannot be run (\(reason)); the board is not halted"
        case .refused: "the command was refused or failed; the board is not halted"
        }
    }

    package var remedy: String? {
        switch self {
        case .noAlarm: "Check that the board has a clock with an alarm, and install trackerd's tmpfiles.d rules."
        case .notRun: nil
        case .refused: "Install trackerd's polkit rules, and see the system's log."
        }
    }
}
