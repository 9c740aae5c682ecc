import Calendar
import Foundation
import Quantities
import Testing

@testable import trackerd

@Suite("The view of `trackerd watch`")
struct WatchViewTests {
    private let now = Instant(seconds: 100)
    private let time = Timestamp(milliseconds: 1_767_225_600_000)

    private func view(_ lines: String..., zone: TimeZoneRules = .utc) throws -> WatchView {
        var view = WatchView(clock: ZoneClock(zone: zone))
        view.title = "trackerd 0.1.0 at /run/trackerd/control.sock"
        for line in lines { view.take(try #require(WatchEvent(line)), at: now) }
        return view
    }

    private func picture(
        _ view: WatchView, columns: Int = 80, rows: Int = 24, after seconds: Double = 0
    ) -> [String] {
        view.lines(
            columns: columns, rows: rows, time: time + .seconds(seconds), at: now + .seconds(seconds))
    }

    /// `more` contains further keys of the status.
    private static func snapshot(_ more: String = "") -> String {
        """
        {"t":1,"at":"2026-01-01T00:00:00.000Z","event":"status","status":{\(more)"fix":{"accuracy_m":4.1,"age_s":0.4,\
        "satellites":9,"time":"2025-12-31T23:59:59.600Z"},"location":{"course_deg":271.5,"lat":52.5,"lon":13.4,\
        "speed_mps":8.2},"mode":"move","odometer_m":1234.5,"queue":{"in_memory":0,"targets":[{"name":"home",\
        "or_more":false,"set_aside":1,"waiting":3},{"name":"van","or_more":false,"set_aside":0,"waiting":0}]},\
        "receiver":{"on":true,"on_s":520,"ttff_s":2.6},"regions":["Depot"],"schedule":{"isWithinSchedule":true},\
        "state":"moving","stop_in_s":42,"tracking":"on","trip":{"id":"7","metadata":{},"number":3},"supply_V":12.4,\
        "ignition":true,"why":"motion for 3 s"}}
        """
    }

    private static let departure = """
        {"t":1,"at":"2026-01-01T00:00:00.000Z","event":"decision","subject":"start","text":"motion for 3 s"}
        """

    @Test("The view has a line for each part of the status, and the events below.")
    func complete() throws {
        let lines = picture(try view(Self.snapshot(), Self.departure))
        #expect(
            lines == [
                "trackerd 0.1.0 at /run/trackerd/control.sock                2026-01-01 00:00:00Z",
                "state      moving (motion for 3 s)",
                "stop       in 42 s, if the vehicle remains still",
                "tracking   on, mode move",
                "fix        0 s ago (23:59:59), ±4.1 m, 9 satellites",
                "place      52.5, 13.4",
                "speed      29.5 km/h, course 272°",
                "odometer   1.23 km",
                "trip       3, 7",
                "regions    Depot",
                "receiver   on for 8 min 40 s, first fix after 2.6 s on average",
                "supply     ignition on, 12.4 V",
                "queue      home 3 waiting (and 1 set aside)",
                "           van up to date",
                "",
                "00:00:00  start: motion for 3 s",
            ])
    }

    @Test("A target that was never reached is not up to date, and its fault is in its row only.")
    func neverReached() throws {
        let fault = #""fault":"the server rejects the credentials","#
        let snapshot = Self.snapshot(#""faults":["van: the server rejects the credentials"],"#)
            .replacingOccurrences(of: #""name":"van","#, with: #""name":"van","never_reached":true,\#(fault)"#)
            .replacingOccurrences(of: #""name":"home","#, with: #""name":"home","never_reached":true,"#)
        let lines = picture(try view(snapshot))
        #expect(
            Array(lines.suffix(2)) == [
                "queue      home 3 waiting, not yet reached (and 1 set aside)",
                "           van 0 waiting, not yet reached (the server rejects the credentials)",
            ])
    }

    @Test("Between two snapshots the ages grow, and the time until the stop becomes shorter.")
    func ages() throws {
        let view = try view(Self.snapshot())
        let later = picture(view, after: 40)
        #expect(later.contains("fix        40 s ago (23:59:59), ±4.1 m, 9 satellites"))
        #expect(later.contains("stop       in 2 s, if the vehicle remains still"))
        #expect(picture(view, after: 4000).contains("stop       in 0 s, if the vehicle remains still"))
        #expect(picture(view, after: 4000).contains { $0.hasPrefix("fix        66 min 40 s ago") })
        #expect(picture(view, after: 200_000).contains { $0.hasPrefix("fix        2 d 7 h ago") })
    }

    @Test("The view shows times in the reader's zone.")
    func zone() throws {
        let tokyo = try #require(TimeZoneRules(posix: "JST-9"))
        let lines = picture(try view(Self.snapshot(), Self.departure, zone: tokyo))
        #expect(lines.first?.hasSuffix("2026-01-01 09:00:00 +09:00") == true)
        #expect(lines.contains { $0.contains("(08:59:59)") } && lines.last == "09:00:00  start: motion for 3 s")
    }

    @Test("The view fits a terminal of any size.", arguments: [(80, 24), (20, 5), (33, 60), (200, 12), (1, 1)])
    func size(columns: Int, rows: Int) throws {
        let fault = String(repeating: "the receiver at /dev/ttyAMA0 does not answer, ", count: 20)
        let view = try view(Self.snapshot(#""faults":["\#(fault)"],"#), Self.departure)
        let lines = picture(view, columns: columns, rows: rows)
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { $0.count <= max(20, columns) }, "\(lines)")
    }

    @Test("A long value continues on the next lines, aligned with its first line.")
    func long() throws {
        let fault = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        let lines = picture(try view(Self.snapshot(#""faults":["\#(fault)"],"#)), columns: 40)
        #expect(
            Array(lines.suffix(3)) == [
                "fault      one two three four five six", "           seven eight nine ten eleven",
                "           twelve thirteen fourteen…",
            ])
    }

    @Test("Foreign text in the view cannot control the terminal.")
    func foreign() throws {
        let name = #"\u001b[2J\u202eDepot"#
        let view = try view(
            Self.snapshot(#""faults":["\#(name)"],"#),
            #"{"at":"\#(name)","event":"decision","subject":"region","text":"\#(name)\n\u0007"}"#,
            #"{"event":"\#(name)"}"#)
        for line in picture(view) {
            let steers = line.unicodeScalars.contains { $0.properties.generalCategory == .control }
            #expect(!steers && !line.contains("\u{202e}"), "\(line)")
        }
        #expect(picture(view).contains { $0.contains(#"\u{1b}[2J\u{202e}Depot"#) })
    }

    @Test("The view shows the time when the connection to the daemon was lost, and reports a new connection.")
    func connection() throws {
        var view = try view(Self.snapshot())
        view.disconnect("the daemon has closed the connection", time: time)
        view.disconnect("no daemon answers", time: time + .seconds(5))
        #expect(picture(view)[1] == "daemon     no connection since 00:00:00 (no daemon answers); trying again")
        view.connect(again: true, time: time + .seconds(9))
        #expect(!picture(view).contains { $0.hasPrefix("daemon") })
        #expect(
            picture(view).suffix(2) == [
                "00:00:00  connection to the daemon lost", "00:00:09  connected to the daemon again",
            ])
    }

    @Test("A line that is not an event is ignored, and an event of a later version is shown by its name.")
    func unknown() throws {
        #expect(WatchEvent("nonsense") == nil)
        #expect(WatchEvent(#"{"event":"halo","planet":"Mars"}"#)?.words == "halo")
        let odd = #"{"at":"yesterday","event":"record","lat":1e300}"#
        #expect(WatchEvent(odd)?.time == nil && WatchEvent(odd)?.words == "record")
    }
}
