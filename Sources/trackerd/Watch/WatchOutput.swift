import Calendar
import Control
import Devices
import FoundationEssentials
import Quantities

protocol WatchOutput: AnyObject {
    /// When `turn` is due even if no line arrives.
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

/// A line of the daemon's stream; a daemon of another version may send further keys and events.
struct WatchEvent: Decodable {
    let event: String
    let at: String?
    var state: String?
    var power: String?
    var kind: String?
    var lat: Double?
    var lon: Double?
    var accuracy_m: Double?
    var trip: Int?
    var trigger: String?
    var regions: [Region]?
    var sequence: Int64?
    var reason: String?
    var subject: String?
    var text: String?
    var count: Int?
    var status: Control.Status?

    struct Region: Decodable {
        let name: String
    }

    init?(_ line: String) {
        guard let event = try? JSONDecoder().decode(WatchEvent.self, from: Data(line.utf8)) else { return nil }
        self = event
    }

    var time: Timestamp? { at.flatMap { ISO8601($0)?.timestamp() } }

    /// Nil for a snapshot of the status.
    var words: String? {
        switch event {
        case "status": nil
        case "state": state == "stationary" ? "parked" : state ?? "state unknown"
        case "receiver": "receiver \(power ?? "unknown")"
        case "record": record
        case "refused": "fix rejected: \(reason ?? "unknown")"
        case "decision": "\(subject ?? "decision"): \(text ?? "")"
        case "lost": "\(count ?? 0) events lost, because this command read too slowly"
        default: event
        }
    }

    private var record: String {
        let number = sequence.map { "record \($0)" } ?? "record"
        let words = [
            kind, trigger.map { "by \($0)" }, place, trip.map { "trip \($0)" },
            regions.flatMap { $0.isEmpty ? nil : "in " + $0.map(\.name).joined(separator: ", ") },
        ]
        let known = words.compactMap(\.self).joined(separator: ", ")
        return known.isEmpty ? number : "\(number): \(known)"
    }

    private var place: String? {
        guard let lat, let lon else { return nil }
        return "\(lat), \(lon)" + (accuracy_m.map { " ±\($0.tenths) m" } ?? "")
    }
}
