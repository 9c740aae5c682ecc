import Foundation
import Glibc
import Peers
import Store
import Testing
import Tracking

@Suite("A gpsd that sends lines on which libgps hangs")
struct GpsdLineTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func start(sending lines: [String]) throws -> StrangeGpsd {
        let gpsd = try StrangeGpsd(sending: lines)
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            board: {gpsd: {host: 127.0.0.1, port: \(gpsd.port)}}
            """, to: "config.yaml")
        return gpsd
    }

    @Test(
        "A gpsd on whose lines libgps hangs does not keep the tracker from recording, replying and ending at once.",
        .enabled(if: StrangeGpsd.python != nil, "not installed: python3"))
    func hostile() throws {
        let gpsd = try start(sending: GpsdLines.all + [String(repeating: "x", count: 60_000)])
        let daemon = try Daemon(
            ["run", "--config", scratch.path + "/config.yaml"],
            log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(
            eventually { gpsd.fixCount > 0 && isListening(at: scratch.path + "/control.sock") })
        let located = try Daemon.output(["locate", "--json", "--config", scratch.path + "/config.yaml"])
        #expect(located.errors.isEmpty && located.status == 0)
        #expect(located.text.contains(#""lat":52.5"#))
        let status = try Daemon.output(["status", "--config", scratch.path + "/config.yaml"])
        #expect(status.text.contains("fix ") && status.status == 0)
        let recorded = try DeliveryTable(path: scratch.path + "/t.sqlite")
            .oldest(awaiting: "nobody", limit: 100, excluding: [])
        #expect(recorded.contains { $0.record.kind == .request && $0.record.position != nil })
        let asked = ContinuousClock.now
        #expect(daemon.end() == 0)
        #expect(ContinuousClock.now - asked < .seconds(2))
    }

    @Test(
        "With `--gpsd`, the tracker requests the reports of the receiver that the board names, and reports if gpsd lacks it.",
        .enabled(if: StrangeGpsd.python != nil, "not installed: python3"))
    func device() throws {
        let gpsd = try start(sending: [])
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            board: {gpsd: {device: /dev/gps7}}
            """, to: "config.yaml")
        let daemon = try Daemon(
            ["run", "--gpsd", "127.0.0.1:\(gpsd.port)", "--config", scratch.path + "/config.yaml"],
            log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { !gpsd.requests.isEmpty })
        #expect(gpsd.requests.contains { $0.contains(#""device":"/dev/gps7""#) })
        let fault = "gpsd does not use /dev/gps7; it uses /dev/gps0. Write `board: {gpsd: {device: /dev/gps0}}`."
        #expect(eventually { daemon.logged.contains(fault) }, "\(daemon.logged)")
        let status = try Daemon.output(["status", "--config", scratch.path + "/config.yaml"])
        #expect(status.text.contains(fault) && status.text.contains("none yet"), "\(status.text)")
        #expect(daemon.logged.components(separatedBy: fault).count == 2)
        #expect(daemon.end() == 0)
    }

    @Test(
        "A gpsd on whose lines libgps hangs does not block the doctor.",
        .enabled(if: StrangeGpsd.python != nil, "not installed: python3"))
    func doctor() throws {
        let gpsd = try start(sending: GpsdLines.all)
        let text = try Daemon.output(["doctor", "--config", scratch.path + "/config.yaml"]).text
        #expect(gpsd.fixCount > 0)
        #expect(text.contains("/dev/gps0 has a fix, ±4 m with 7 satellites."))
    }
}
