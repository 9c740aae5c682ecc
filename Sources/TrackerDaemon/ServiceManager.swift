import CLinux
import Glibc
import Quantities

/// Reports to systemd that the program is ready, what it does, and that its loop runs (sd_notify(3), sd_watchdog_enabled(3)).
/// The loop itself reports to the watchdog, so systemd restarts a program whose loop is blocked.
package struct ServiceManager {
    /// The longest time for an answer of the upload thread, which a failing disk can block for minutes.
    private static let uploadPatience = Duration.seconds(600)

    /// Nil if systemd has not started the program.
    private let address: String?
    /// Nil if systemd has set no watchdog for this process.
    private let interval: Duration?
    private var lastStatus: String?
    /// Nil before the first question to the upload thread.
    private var askedAt: Instant?
    /// Nil without a watchdog, before `ready`, and after `stopping`.
    private(set) var deadline: Instant?

    package init() {
        self.init(
            address: Self.variable("NOTIFY_SOCKET"), watchdog_us: Self.variable("WATCHDOG_USEC"),
            process: Self.variable("WATCHDOG_PID"))
    }

    /// The watchdog gets two reports in each period, unless it is for another process.
    init(address: String?, watchdog_us: String?, process: String?) {
        self.address = address
        let isOurs = process.map { Int32($0) == getpid() } ?? true
        let limit = watchdog_us.flatMap { Int64($0) } ?? 0
        // A watchdog time of more than a year must be a mistake.
        interval =
            address != nil && isOurs && (2...31_536_000_000_000).contains(limit) ? .microseconds(limit / 2) : nil
    }

    mutating func ready(at now: Instant) {
        send("READY=1")
        if interval != nil { deadline = now }
    }

    mutating func stopping() {
        deadline = nil
        send("STOPPING=1")
    }

    /// Sends the status line if it has changed.
    mutating func report(status: @autoclosure () -> String) {
        guard address != nil else { return }
        let status = status()
        guard status != lastStatus else { return }
        lastStatus = status
        send("STATUS=\(status.split(separator: "\n").joined(separator: " "))")
    }

    /// Sends a due report to the watchdog, unless the upload thread has not answered for ten minutes.
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

    /// Ignores a failure: tracking works without systemd.
    private func send(_ line: String) {
        if let address { _ = clinux_notify(address, line) }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
