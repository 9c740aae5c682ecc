import Control
import Quantities

/// The contents of the screen: the status, and below it the latest events.
///
/// `lines` formats the view for any size of the terminal. The view updates ages and durations between two snapshots of the
/// status, because a parked tracker may send no snapshot for hours.
struct WatchView {
    /// The maximum number of events in the view; terminals have fewer lines.
    private static let mostEvents = 200
    /// The width of the column with the titles.
    private static let indent = 11
    /// The maximum number of lines for one value.
    private static let mostLines = 3

    let clock: ZoneClock
    /// The version of the daemon and its socket, for the first line.
    var title = ""
    private var status: Control.Status?
    private var receivedAt = Instant.boot
    private var events: [(time: Timestamp?, words: String)] = []
    private var lostConnection: (time: Timestamp, reason: String)?

    init(clock: ZoneClock) { self.clock = clock }

    /// Notes that the daemon answers; `again` is true if the connection was lost before.
    mutating func connect(again: Bool, time: Timestamp) {
        lostConnection = nil
        if again { add("connected to the daemon again", at: time) }
    }

    /// Notes that the daemon does not answer.
    mutating func disconnect(_ reason: String, time: Timestamp) {
        if lostConnection == nil { add("connection to the daemon lost", at: time) }
        lostConnection = (lostConnection?.time ?? time, reason)
    }

    /// Adds an event, or replaces the status.
    mutating func take(_ event: WatchEvent, at now: Instant) {
        if let status = event.status { (self.status, receivedAt) = (status, now) }
        if let words = event.words { add(words, at: event.time) }
    }

    private mutating func add(_ words: String, at time: Timestamp?) {
        events.append((time, words))
        if events.count > Self.mostEvents { events.removeFirst(events.count - Self.mostEvents) }
    }

    /// Returns the lines for a terminal with this number of columns and rows.
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

    /// The time of day, without the date.
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

    /// Breaks a text between its words, or within a word that is longer than a line.
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
