import TrackingOptions
import Foundation
import Hardware
import Logging
import Peers
import Quantities
import Store
import Testing
import Tracking

@testable import Control
@testable import TrackerDaemon

@Suite("The status over the control socket")
struct StatusTests {
    @Test("The status reports the receiver as on while a new tracker searches, and as off when tracking is off.")
    func receiver() throws {
        let bench = try StatusBench()
        let replies = try bench.replies(
            to: [#"{"request":"status"}"#, #"{"request":"tracking stop"}"#, #"{"request":"status"}"#], at: 10)
        let receivers = replies.map { $0["receiver"] as? [String: Any] }
        #expect(receivers.first??["on"] as? Bool == true && receivers.first??["on_s"] != nil)
        #expect(receivers.last??["on"] as? Bool == false && receivers.last??["on_s"] == nil)
    }

    @Test(
        "The charge per day is reported from ten minutes after the start.",
        arguments: [(599.0, nil), (600, 2400), (86_400, 2400)] as [(Double, Double?)])
    func charge(second: Double, expected: Double?) throws {
        let status = try #require(try StatusBench().replies(to: [#"{"request":"status"}"#], at: second).first)
        #expect(status["charge_mAh_per_day"] as? Double == expected)
    }
}

@Suite("Ignition, battery and faults in the status")
struct StatusConditionTests {
    @Test("The status states the ignition, the battery's voltage, and the faults of the devices.")
    func conditions() throws {
        let status = try #require(StatusBench().replies(to: [#"{"request":"status"}"#], at: 10).first)
        #expect(status["ignition"] as? Bool == true)
        #expect(status["supply_V"] as? Double == 12.61)
        #expect(status["faults"] as? [String] == ["GPIO soc GPIO24: the chip has no such line. Run `gpioinfo`."])
    }
}

@Suite("The targets in the status")
struct StatusTargetTests {
    private static let faults = [
        "home": UploadObstacle(text: "the server rejects the credentials (status 401).", needsOwner: true),
        "office": UploadObstacle(text: "uploads wait: the network is wwan0, which is metered", needsOwner: false),
    ]

    @Test("A rejected password is one of the faults, but a target that waits for another network is not.")
    func faults() throws {
        let conversation = try ControlConversation(uploads: UploadHandle(fault: { Self.faults[$0] }))
        let reply = try #require(conversation.reply(to: #"{"request":"status"}"#))
        #expect(reply.contains(#""faults":["home: the server rejects the credentials (status 401)."],"#), "\(reply)")
        #expect(reply.contains(#""fault":"uploads wait: the network is wwan0, which is metered""#))
    }

    @Test("A target is marked until it has received a record, also by an earlier run of the program.")
    func reached() throws {
        let conversation = try ControlConversation()
        let never = #""never_reached":true"#
        let before = try #require(conversation.reply(to: #"{"request":"status"}"#))
        #expect(before.components(separatedBy: never).count == 3, "\(before)")
        let table = try DeliveryTable(path: conversation.table)
        let first = try #require(try table.oldest(awaiting: "office", limit: 1, excluding: []).first)
        try table.markDelivered([first.sequence], to: "office")
        let after = try #require(conversation.reply(to: #"{"request":"status"}"#))
        #expect(after.contains(#""name":"home",\#(never)"#) || after.contains(#"\#(never),"or_more""#))
        #expect(after.components(separatedBy: never).count == 2, "\(after)")
    }
}

/// A source of the vehicle's ignition and battery voltage, with a faulty line.
private final class VehicleInputs: EventSource {
    struct Broken: Fault {
        let subject = "GPIO soc GPIO24"
        let cause = "the chip has no such line"
        let remedy: String? = "Run `gpioinfo`."
    }

    let name = "inputs"
    let fault: (any Fault)? = Broken()
    private var events: [Event] = [.ignition(isOn: true), .supply(Volts(12.61))]

    var wait: Wait { events.isEmpty ? Wait() : Wait(deadline: .boot) }

    func advance(at now: Instant) -> [Event] {
        defer { events = [] }
        return events
    }
}

/// A tracker with a control socket on a board that draws 100 mA.
///
/// The tracker started 50 s after boot.
private final class StatusBench {
    private let scratch: Scratch
    private let clock = SteppingClock()
    private let tracker: Tracker

    init() throws {
        scratch = try Scratch()
        var devices = TrackerDevices(receiver: SilentReceiver(), motionSensor: nil)
        devices.currents = Currents(board_mA: 100)
        devices.inputs = [VehicleInputs()]
        tracker = try Tracker(
            setup: EngineConfiguration(options: Profile.vehicle.options),
            queue: RecordQueue(path: scratch.path + "/t.sqlite"),
            devices: devices, clock: clock, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            control: ControlSocket(path: scratch.path + "/control.sock"), uploads: UploadHandle())
    }

    /// Sends the requests this number of seconds after the start, and returns the results.
    func replies(to requests: [String], at second: Double) throws -> [[String: Any]] {
        let client = try RawClient(scratch.path + "/control.sock")
        client.send(requests.joined(separator: "\n") + "\n")
        clock.moment = Instant(seconds: 50 + second)
        try tracker.run(until: clock.moment + .milliseconds(200))
        return try client.lines().map { line in
            let reply = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(reply?["result"] as? [String: Any], "\(line)")
        }
    }
}

/// A clock that advances by a millisecond with each reading, so the loop runs without waiting.
private final class SteppingClock: LoopClock {
    let bootID = "boot"
    var moment = Instant(seconds: 50)

    func now() -> Instant {
        defer { moment = moment + .milliseconds(1) }
        return moment
    }

    func wallTime() -> (time: Timestamp, isTrusted: Bool) {
        (Timestamp(milliseconds: 1_767_225_600_000) + (moment - .boot), true)
    }

    func realTime(until moment: Instant) -> Duration { .zero }
}

private final class SilentReceiver: Receiver {
    let name = "receiver"
    let wait = Wait()

    func start(at now: Instant) {}
    func stop(at now: Instant) {}
    func advance(at now: Instant) -> [Event] { [] }
}
