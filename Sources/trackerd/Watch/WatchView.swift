import Calendar
import Control
import Quantities

/// The status, and below it the latest events, for any size of the terminal. Ages increase between two snapshots of the status,
/// because a parked tracker may send no snapshot for hours.
struct WatchView {
    /// The number of events that are kept; terminals have fewer lines.
    private static let mostEvents = 200
    private static let indent = 11
    /// The most lines of one value.
    private static let mostLines = 3

    private let clock: ZoneClock
    var title = ""
    private var status: Control.Status?
    private var receivedAt = Instant.boot
    private var events: [(time: Timestamp?, words: String)] = []
    private var lostConnection: (time: Timestamp, reason: String)?

    init(clock: ZoneClock) { self.clock = clock }

    /// `again` is true if the connection was lost before.
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

/// The rows of the status, `elapsed_s` seconds after the daemon sent it.
struct WatchRows {
    let status: Control.Status
    let elapsed_s: Double
    let clock: ZoneClock

    // Each text is a property with an explicit type, because Swift 6.2 cannot infer the types in one large expression.
    var rows: [(String, String)] {
        let text = StatusText(status: status, clock: clock)
        let values: [(String, String?)] = [
            ("state", text.state), ("stop", stop), ("tracking", tracking),
            ("private", text.privacy), ("awake", text.awake), ("fix", fix), ("place", text.place),
            ("speed", speed), ("odometer", text.odometer), ("trip", text.trip), ("regions", text.regions),
            ("receiver", receiver), ("supply", supply),
        ]
        return values.compactMap { title, text in text.map { (title, $0) } } + queue
            + status.deviceFaults.map { ("fault", $0) }
    }

    private var stop: String? {
        status.stop_in_s.map { "in \(StatusText.whole(max(0, $0 - elapsed_s))) s, if the vehicle remains still" }
    }

    private var tracking: String {
        let change = status.schedule.next_change.map { ", until \(clock.localized($0))" }
        return "\(status.tracking), mode \(status.mode)\(change ?? "")"
    }

    private var fix: String {
        guard let fix = status.fix else { return "none yet" }
        let time = local(fix.time).map { " (\($0.dropFirst(11).prefix(8)))" } ?? ""
        return StatusText(status: status, clock: clock).fixText(
            fix, age: "\(Self.span(fix.age_s + elapsed_s)) ago\(time)")
    }

    private var speed: String? {
        guard status.state == "moving" else { return nil }
        guard let speed = status.location?.speed_mps else { return "unknown" }
        let course = status.location?.course_deg.map { ", course \(StatusText.whole($0))°" } ?? ""
        return "\((speed * 3.6).tenths) km/h\(course)"
    }

    private var receiver: String {
        let on = status.receiver.on_s.map { "on for \(Self.span($0 + elapsed_s))" } ?? "off"
        return on + (status.receiver.ttff_s.map { ", first fix after \($0) s on average" } ?? "")
    }

    private var supply: String? {
        let values = [status.ignition.map { "ignition \($0 ? "on" : "off")" }, status.supply_V.map { "\($0) V" }]
        let known = values.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    /// A row for each target, and one if records are not on disk yet.
    private var queue: [(String, String)] {
        let lines = StatusText(status: status, clock: clock).queueLines
        return lines.enumerated().map { index, line in (index == 0 ? "queue" : "", line) }
    }

    private func local(_ text: String) -> String? { ISO8601(text)?.timestamp().map(clock.text) }

    /// A text with at most two units, such as `42 s` or `3 h 5 min`.
    static func span(_ seconds: Double) -> String {
        guard let whole = Int(exactly: max(0, seconds).rounded()) else { return "\(seconds) s" }
        switch whole {
        case ..<120: return "\(whole) s"
        case ..<7200: return "\(whole / 60) min \(whole % 60) s"
        case ..<172_800: return "\(whole / 3600) h \(whole / 60 % 60) min"
        default: return "\(whole / 86_400) d \(whole / 3600 % 24) h"
        }
    }
}
