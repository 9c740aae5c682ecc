import Devices
import FoundationEssentials
import Quantities
import TrackerDaemon

/// Where `trackerd watch` writes to.
protocol WatchOutput: AnyObject {
    /// When the output wants its next turn even if nothing arrives; nil if it does not need one.
    var deadline: Instant? { get }
    /// Why the command cannot write; nil while it can.
    var failure: OutputError? { get }

    /// Takes over the terminal, if the output needs this.
    func begin()
    /// Notes that the daemon answers; `again` if it did not answer before.
    func connect(_ header: WatchHeader, again: Bool)
    /// Takes a line of the stream.
    func take(_ line: String, at now: Instant)
    /// Notes that the daemon does not answer, for this reason.
    func disconnect(_ reason: String)
    /// Writes what is due.
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
    /// The status as last written, without the values that change all the time.
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
            let summary = StatusText(status: status).summary
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
