import Control
import Devices
import FoundationEssentials
import Quantities

protocol WatchOutput: AnyObject {
    /// When `turn` is due without a line.
    var deadline: Instant? { get }
    var failure: OutputError? { get }

    func begin()
    /// `again` is true if the connection was lost before.
    func connect(_ header: WatchHeader, again: Bool)
    func take(_ line: String, at now: Instant)
    func disconnect(_ reason: String)
    /// Writes the lines that are not written yet, or redraws the screen.
    func turn(at now: Instant)
    func end()
}

extension WatchOutput {
    var deadline: Instant? { nil }
    func begin() {}
    func end() {}
}

final class WatchStream: WatchOutput {
    private let writer: LineWriter

    init() throws { writer = try LineWriter(nil) }

    var failure: OutputError? { writer.failure }

    func connect(_ header: WatchHeader, again: Bool) {
        if again { writer.write(ConnectionLine(connected: true, reason: nil)) }
    }

    func take(_ line: String, at now: Instant) { writer.write(text: line) }
    func disconnect(_ reason: String) { writer.write(ConnectionLine(connected: false, reason: reason)) }
    func turn(at now: Instant) { writer.flush() }
}

private struct ConnectionLine: Encodable {
    let event = "connection"
    let connected: Bool
    let reason: String?
}

final class WatchLines: WatchOutput {
    private let writer: LineWriter
    private let clock: ZoneClock
    /// The last written status, without the values that change constantly.
    private var written = ""

    init(clock: ZoneClock) throws {
        writer = try LineWriter(nil)
        self.clock = clock
    }

    var failure: OutputError? { writer.failure }

    func connect(_ header: WatchHeader, again: Bool) {
        if again { write("connected to the daemon again", at: BootClock().wallTime().time) }
        written = ""
    }

    func take(_ line: String, at now: Instant) {
        guard let event = WatchEvent(line) else { return }
        if let status = event.status {
            let summary = StatusText(status: status, clock: clock).summary
            if summary != written { write("status: \(summary)", at: event.time) }
            written = summary
        }
        if let words = event.words { write(words, at: event.time) }
    }

    func disconnect(_ reason: String) {
        write("connection to the daemon lost (\(reason)); trying again", at: BootClock().wallTime().time)
    }

    func turn(at now: Instant) { writer.flush() }

    private func write(_ words: String, at time: Timestamp?) {
        writer.write(foreign: ["\(time.map { clock.text($0) + "  " } ?? "")\(words)"])
    }
}
