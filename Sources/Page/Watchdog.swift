import CLinux
import Glibc
import Quantities

/// Reports to systemd that the page is ready, and that it accepts connections (sd_notify(3), sd_watchdog_enabled(3)).
///
/// A page whose loop runs may still accept nobody. It therefore connects to itself before each report. If the reports stay
/// away, systemd restarts the page.
struct Watchdog {
    /// The address of systemd's socket; nil if systemd has not started the page.
    private let address = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
    /// The time between two reports; nil if systemd requests none.
    private let interval: Duration?
    /// When the next report is due; nil if systemd requests none, and before `begin`.
    private(set) var deadline: Instant?

    init() {
        let limit = getenv("WATCHDOG_USEC").flatMap { Int64(String(cString: $0)) } ?? 0
        interval = limit > 0 ? .microseconds(limit / 3) : nil
    }

    /// Reports that the page is ready.
    mutating func begin(at now: Instant) {
        send("READY=1")
        deadline = interval.map { now + $0 }
    }

    /// Sends a report if it is due and the page has accepted a connection; `probe` states this.
    mutating func turn(at now: Instant, probe: () -> Bool) {
        guard let interval, let due = deadline, due <= now else { return }
        deadline = now + interval
        if probe() { send("WATCHDOG=1") }
    }

    private func send(_ line: String) {
        if let address { _ = clinux_notify(address, line) }
    }
}
