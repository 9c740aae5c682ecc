import Control
import Quantities

/// The status, and below it the latest events, for any size of the terminal. Ages go on between two snapshots: a parked tracker
/// may send none for hours.
struct WatchView {
    /// Terminals have fewer lines.
    private static let mostEvents = 200
    private static let indent = 11
    /// For one value.
    private static let mostLines = 3

    let clock: ZoneClock
    var title = ""
    private var status: Control.Status?
    private var receivedAt = Instant.boot
    private var events: [(time: Timestamp?, words: String)] = []
    private var lostConnection: (time: Timestamp, reason: String)?

    init(clock: ZoneClock) { self.clock = clock }

    /// `again` if the connection was lost before.
    mutating func connect(again: Bool, time: Timestamp) {
        lostConnection = nil
        if again { add("connected to the daemon again", at: time) }
    }

    mutating func disconnect(_ reason: String, time: Timestamp) {
        if lostConnection == nil { add("connection to the daemon lost", at: time) }
        lostConnection = (lostConnection?.time ?? time, reason)
    }

    mutating func take(_ event: WatchEvent, at now: Instant) {
        if let status = event.status { (self.status, receivedAt) = (status, now) }
        if let words = event.words { add(words, at: event.time) }
    }

    private mutating func add(_ words: String, at time: Timestamp?) {
        events.append((time, words))
        if events.count > Self.mostEvents { events.removeFirst(events.count - Self.mostEvents) }
    }

    func lines(columns: Int, rows: Int, time: Timestamp, at now: Instant) -> [String] {
        let width = max(20, columns)
        var lines = [header(width, time)]
        if let lostConnection {
            let since = timeOfDay(lostConnection.time)
            let words = "no connection since \(since) (\(lostConnection.reason)); trying again"
            lines += Self.row("daemon", words, width)
        }
        for (title, text) in statusRows(elapsed: now - receivedAt) { lines += Self.row(title, text, width) }
        let room = rows - lines.count - 1
        if room > 0, !events.isEmpty {
            lines.append("")
            for event in events.suffix(room) {
                lines.append(
                    Self.clip("\(event.time.map(timeOfDay) ?? "")  \(event.words.printable(limit: width))", width))
            }
        }
        return Array(lines.prefix(max(1, rows)))
    }

    private func header(_ width: Int, _ time: Timestamp) -> String {
        let shown = clock.text(time)
        let space = width - title.count - shown.count
        return space < 2 ? Self.clip(shown, width) : title + String(repeating: " ", count: space) + shown
    }

    private func timeOfDay(_ time: Timestamp) -> String { String(clock.text(time).dropFirst(11).prefix(8)) }

    private func statusRows(elapsed: Duration) -> [(String, String)] {
        status.map { WatchRows(status: $0, elapsed_s: max(0, elapsed.inSeconds), clock: clock).rows } ?? []
    }

    private static func row(_ title: String, _ text: String, _ width: Int) -> [String] {
        let parts = wrap(text.printable(limit: 1000), width - indent)
        return parts.prefix(mostLines).enumerated().map { index, part in
            let head = index == 0 ? title : ""
            let tail = index == mostLines - 1 && parts.count > mostLines ? clip(part + "…", width - indent) : part
            return head + String(repeating: " ", count: indent - head.count) + tail
        }
    }

    static func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
            while line.count > width {
                lines.append(String(line.prefix(width)))
                line = String(line.dropFirst(width))
            }
        }
        return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
    }

    private static func clip(_ text: String, _ width: Int) -> String {
        text.count > width ? text.prefix(width - 1) + "…" : text
    }
}
