import Foundation
import Peers
import Quantities
import Testing
import Tracking

@Suite("A parked board that is kept awake", .enabled(if: Broker.program != nil, "not installed: mosquitto"))
struct AwakeTests {
    private let broker: Broker
    private let vehicle: Vehicle

    /// After ten minutes parked, trackerd tries to halt the board, which fails because the board is simulated.
    init() throws {
        broker = try Broker()
        try broker.start()
        var drive = SyntheticDrive()
        drive.stand(300)
        vehicle = try Vehicle(
            targets: [
                "{name: home, url: \"\(broker.url)\", user: fleet, device: van1, control: [stayAwake]}",
                "{name: other, url: \"\(broker.url)\", user: other, device: van1, control: [restart]}",
            ],
            more: ["timeZone: Europe/Berlin", "board: {base: sim, haltAfter: 10m, wakeUp: clock, wakeAfter: 12h}"],
            drive: drive)
    }

    private func logs(_ text: String) -> Bool { vehicle.logged.contains { $0.contains(text) } }

    /// Returns the indices of the first log lines that contain the texts, from the line with `begin` on; a text that no line
    /// contains is left out.
    private func lines(after begin: String, _ texts: String...) -> [Int] {
        guard let first = vehicle.logged.firstIndex(where: { $0.contains(begin) }) else { return [] }
        let rest = vehicle.logged[first...]
        return texts.compactMap { text in rest.firstIndex { $0.contains(text) } }
    }

    @Test(
        "`trackerd awake on` postpones the halt until its time is over, also after SIGKILL, and the status shows the time."
    )
    func command() throws {
        var daemon = try vehicle.start(speed: 120)
        #expect(eventually { logs("Started; ") })
        let on = try vehicle.run("awake", "on", "--for", "40m")
        #expect(on.status == 0 && on.text.hasPrefix("The board stays awake until 2026-01-01 0"), "\(on)")
        daemon.signal(SIGKILL)
        _ = daemon.wait()
        daemon = try vehicle.start(speed: 120)
        #expect(eventually { (try? vehicle.run("status").text)?.contains("awake") == true }, "\(vehicle.logged)")
        let status = try vehicle.run("status").text
        // The drive begins at midnight in UTC.
        #expect(status.contains(/\nawake +until 2026-01-01 01:\d\d:\d\d \+01:00\n/), "\(status)")
        #expect(eventually { logs("halting the board: parked for 600 s") }, "\(vehicle.logged)")
        let order = lines(
            after: "a command keeps the board awake", "not halted: a command keeps the board awake until",
            "the time for which a command kept the board awake is over", "halting the board: parked for 600 s")
        #expect(order.count == 3 && order == order.sorted(), "\(vehicle.logged)")
        let why = try vehicle.run("why", "2026-01-01T00:00:00Z", "--span", "2h").text
        #expect(why.contains("not halted: a command keeps the board awake until"), "\(why)")
        #expect(daemon.endInTime() == 0)
    }

    @Test("An order keeps the board awake if the target permits `stayAwake`, and is refused otherwise.")
    func order() throws {
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        let expires = (vehicle.stored.last?.record.time.seconds ?? 1_767_225_600) + 86_400
        func publish(_ id: String, to user: String) throws {
            let text = #"{"request":"awake on","for":"4h","id":"\#(id)","expires":\#(expires)}"#
            try broker.publish(text, to: "owntracks/\(user)/van1/cmd")
        }
        try publish("n1", to: "other")
        #expect(eventually { logs("`awake on` needs `control: [stayAwake]`") }, "\(vehicle.logged)")
        #expect(try vehicle.status()["awake_until"] == nil)
        try publish("y1", to: "fleet")
        #expect(
            eventually { broker.bodies.contains { $0.contains("y1") && $0.contains("The board stays awake until") } })
        #expect(try vehicle.status()["awake_until"] as? String != nil)
        #expect(daemon.endInTime() == 0)
    }
}
