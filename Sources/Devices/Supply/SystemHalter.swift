import Glibc
import Hardware
import Quantities

/// Halts this computer through its init system, after it has set the clock that wakes it.
package final class SystemHalter: Halter {
    package let name = "halt"
    package private(set) var complaint: String?

    private let command: [String]
    private let alarm: String
    private var child: pid_t?

    /// Names the command that halts, and the file of the clock that takes the alarm (`rtc` in the kernel's documents).
    package init(command: [String] = ["systemctl", "poweroff"], alarm: String = "/sys/class/rtc/rtc0/wakealarm") {
        self.command = command
        self.alarm = alarm
    }

    package func halt(wakeAfter: Duration?) {
        complaint = nil
        // The one before is over by now; it did not halt, or nobody would be here.
        if let child { waitpid(child, nil, WNOHANG) }
        if let wakeAfter, let reason = set(wakeAfter) {
            // Nobody would wake a board that is halted without its alarm.
            complaint = "\(alarm): the alarm cannot be set (\(reason)); the board is not halted. Has it a clock chip?"
            return
        }
        var pid = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let failure = posix_spawnp(&pid, command.first ?? "", nil, nil, &arguments, environ)
        guard failure == 0 else {
            let words = command.joined(separator: " ")
            complaint = "\(words): cannot be run (\(String(cString: strerror(failure)))); the board is not halted."
            return
        }
        child = pid
    }

    /// Sets the alarm; gives the reason when that is impossible.
    private func set(_ span: Duration) -> String? {
        // An alarm that is set already is refused until it is cleared.
        Pseudofile.write("0", to: alarm) ?? Pseudofile.write("+\(Int(span.inSeconds))", to: alarm)
    }
}
