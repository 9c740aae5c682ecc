import Control
import Devices
import FoundationEssentials
import Quantities

/// The output of `trackerd watch`.
protocol WatchOutput: AnyObject {
    /// The time at which the loop must call `turn`, even if no line has arrived; nil if there is no such time.
    var deadline: Instant? { get }
    /// Why the command cannot write; nil if no write has failed.
    var failure: OutputError? { get }

    /// Prepares the terminal.
    func begin()
    /// Reports that the daemon answers; `again` is true if the connection was lost before.
    func connect(_ header: WatchHeader, again: Bool)
    /// Receives a line of the stream.
    func take(_ line: String, at now: Instant)
    /// Reports that the daemon does not answer, with the reason.
    func disconnect(_ reason: String)
    /// Writes the lines that are not written yet, or redraws the screen.
    func turn(at now: Instant)
    /// Restores the terminal.
    func end()
}

extension WatchOutput {
    var deadline: Instant? { nil }
    func begin() {}
    func end() {}
}

/// Passes the stream on to another program, line by line.
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

/// The line that the command itself adds to the stream.
private struct ConnectionLine: Encodable {
    let event = "connection"
    let connected: Bool
    let reason: String?

    private enum CodingKeys: CodingKey { case event, connected, reason }
}

/// Writes one readable line for each event, for a file or a pipe.
final class WatchLines: WatchOutput {
    private let writer: LineWriter
    private let clock: ZoneClock
    /// The status that was written last, without the values that change constantly.
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
