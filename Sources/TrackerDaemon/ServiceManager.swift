import CLinux
import Glibc
import Quantities

/// Reports to systemd: that the program is ready, what it does, and that its loop runs (sd_notify(3), sd_watchdog_enabled(3)).
///
/// systemd restarts a program whose watchdog report is overdue. The loop itself sends this report, so a blocked loop sends
/// none. Without a watchdog there is no timer.
package struct ServiceManager {
    /// The longest time for the upload thread to answer: a slow name server blocks it for some minutes.
    private static let uploadPatience = Duration.seconds(600)

    /// The address of systemd's socket; nil if systemd has not started the program.
    private let address: String?
    /// The time between two watchdog reports; nil without a watchdog.
    private let interval: Duration?
    private var lastStatus: String?
    /// The instant of the unanswered question to the upload thread; nil if there is none.
    private var askedAt: Instant?
    /// When the next watchdog report is due; nil without a watchdog.
    private(set) var deadline: Instant?

    /// Reads what systemd has put into the environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    package init() {
        self.init(
            address: Self.variable("NOTIFY_SOCKET"), watchdog_us: Self.variable("WATCHDOG_USEC"),
            process: Self.variable("WATCHDOG_PID"))
    }

    /// Makes a manager that reports to `address`.
    ///
    /// Watchdog reports are half of `watchdog_us` apart. The manager sends none if the watchdog is for another process.
    init(address: String?, watchdog_us: String?, process: String?) {
        self.address = address
        let isOurs = process.map { Int32($0) == getpid() } ?? true
        let limit = watchdog_us.flatMap { Int64($0) } ?? 0
        // A duration of more than a year is a mistake.
        interval =
            address != nil && isOurs && (2...31_536_000_000_000).contains(limit) ? .microseconds(limit / 2) : nil
    }

    /// Reports that the program is ready, and begins the watchdog reports.
    mutating func ready(at now: Instant) {
        send("READY=1")
        if interval != nil { deadline = now }
    }

    /// Reports that the program ends.
    mutating func stopping() {
        deadline = nil
        send("STOPPING=1")
    }

    /// Reports what the program does, in one line, if that has changed.
    mutating func report(status: @autoclosure () -> String) {
        guard address != nil else { return }
        let status = status()
        guard status != lastStatus else { return }
        lastStatus = status
        send("STATUS=\(status.split(separator: "\n").joined(separator: " "))")
    }

    /// Sends a watchdog report that is due, unless the upload thread has not answered for ten minutes.
    mutating func turn(at now: Instant, _ uploads: UploadHandle) {
        guard let interval, let due = deadline, due <= now else { return }
        deadline = now + interval
        if uploads.hasAnswered() {
            uploads.ask()
            askedAt = now
        } else if let askedAt, now - askedAt >= Self.uploadPatience {
            return
        }
        send("WATCHDOG=1")
    }

    /// Sends a line, and ignores a failure: tracking continues without systemd.
    private func send(_ line: String) {
        if let address { _ = clinux_notify(address, line) }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
