import CLinux
import Glibc
import Quantities

/// Reports to systemd that the page is ready and accepts connections (sd_notify(3), sd_watchdog_enabled(3)). A page
/// whose loop runs may still accept no connections, so it connects to itself before each report; without reports,
/// systemd restarts it.
struct Watchdog {
    /// Nil if systemd has not started the page.
    private let address = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
    /// Nil if systemd requests no reports.
    private let interval: Duration?
    /// Nil if systemd requests no reports, and before `begin`.
    private(set) var deadline: Instant?

    init() {
        let limit = getenv("WATCHDOG_USEC").flatMap { Int64(String(cString: $0)) } ?? 0
        interval = limit > 0 ? .microseconds(limit / 3) : nil
    }

    mutating func begin(at now: Instant) {
        send("READY=1")
        deadline = interval.map { now + $0 }
    }

    /// Sends a report if it is due, and if `probe` returns that the page has accepted a connection.
    mutating func turn(at now: Instant, probe: () -> Bool) {
        guard let interval, let due = deadline, due <= now else { return }
        deadline = now + interval
        if probe() { send("WATCHDOG=1") }
    }

    private func send(_ line: String) {
        if let address { _ = clinux_notify(address, line) }
    }
}
