import Control
import Calendar
import Quantities

/// `elapsed_s` seconds after the daemon sent it.
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

    /// And one row if records are not on disk yet.
    private var queue: [(String, String)] {
        let lines = StatusText(status: status, clock: clock).queueLines
        return lines.enumerated().map { index, line in (index == 0 ? "queue" : "", line) }
    }

    private func local(_ text: String) -> String? { ISO8601(text)?.timestamp().map(clock.text) }

    /// At most two units, such as `42 s` or `3 h 5 min`.
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
