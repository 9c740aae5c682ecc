import Glibc
package import Hardware
package import Quantities
package import Tracking

/// Halts this computer through its init system, after it has set the clock that wakes it.
///
/// The command that does that is looked at until it has ended: it may be refused.
package final class SystemHalter: Halter {
    /// The command says soon whether it may.
    private static let lookInterval = Duration.seconds(1)

    package let name = "halt"
    package private(set) var complaint: String?

    private let command: [String]
    private let alarm: String
    private var child: (pid: pid_t, lookAt: Instant)?

    /// Names the command that halts, and the file of the clock that takes the alarm (`rtc` in the kernel's documents).
    package init(command: [String] = ["systemctl", "poweroff"], alarm: String = "/sys/class/rtc/rtc0/wakealarm") {
        self.command = command
        self.alarm = alarm
    }

    package var wait: Wait { Wait(deadline: child?.lookAt) }

    package func advance(at now: Instant) -> [Event] {
        guard let (pid, lookAt) = child, now >= lookAt else { return [] }
        var status: Int32 = 0
        child = waitpid(pid, &status, WNOHANG) == 0 ? (pid, now + Self.lookInterval) : nil
        if child == nil, status != 0 {
            complaint =
                "\(words): is refused, or fails; the board is not halted. Install trackerd's polkit rules, and see the log."
        }
        return []
    }

    package func halt(wakeAfter: Duration?, at now: Instant) {
        guard child == nil else { return }
        complaint = nil
        if let wakeAfter, let reason = set(wakeAfter) {
            // Nobody would wake a board that is halted without its alarm.
            complaint = "\(alarm): the alarm cannot be set (\(reason)); the board is not halted. Has it a clock chip?"
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
            complaint = "\(words): cannot be run (\(String(cString: strerror(failure)))); the board is not halted."
            return
        }
        child = (pid, now + Self.lookInterval)
    }

    /// The daemon blocks signals and ignores SIGPIPE, which a child would inherit.
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

    /// Sets the alarm; gives the reason when that is impossible.
    private func set(_ span: Duration) -> String? {
        // An alarm that is set already is refused until it is cleared.
        Pseudofile.write("0", to: alarm) ?? Pseudofile.write("+\(Int(span.inSeconds))", to: alarm)
    }
}
