import Hardware
import Motion
import Quantities
import Testing
import Tracking

@testable import TrackerDaemon

@Suite("Trying a wire")
struct WireTrialTests {
    private func run(_ wire: WireTrial.Wire, _ events: [Event], fault: (any Fault)? = nil) throws -> (Bool, [String]) {
        var lines: [String] = []
        let trial = WireTrial(wire, source: ScriptedInput(events, fault: fault), clock: TrialClock())
        let works = try trial.run(for: .seconds(60)) { lines.append($0) }
        return (works, lines)
    }

    @Test("Each change of a working wire is shown.")
    func works() throws {
        let (isGood, lines) = try run(.ignition, [.ignition(isOn: false), .ignition(isOn: true)])
        #expect(isGood)
        #expect(lines == ["Switch the ignition on and off now.", "The ignition is off.", "The ignition is on."])
        #expect(try run(.interrupt, [.motion(MotionVerdict(isMoving: true))]).0)
        #expect(try run(.supply, [.supply(Volts(12.614))]).1.last == "The battery has 12.61 V.")
        #expect(try run(.powerFail, [.power(.supplyLost), .power(.supplyBack)]).1.last == "The supply is back.")
    }

    @Test("A wire that does not change its level is reported with the remedy.", arguments: WireTrial.Wire.allCases)
    func dead(wire: WireTrial.Wire) throws {
        let (isGood, lines) = try run(wire, wire == .ignition ? [.ignition(isOn: false)] : [])
        #expect(!isGood)
        #expect(lines.last?.contains("Check") == true || wire == .interrupt)
    }

    @Test("An input that cannot be used ends the trial at once.")
    func faulty() throws {
        let (isGood, lines) = try run(.ignition, [], fault: Busy())
        #expect(!isGood)
        #expect(lines.last == "GPIO soc GPIO24: the line is used by trackerd. Stop it.")
    }
}

private struct Busy: Fault {
    let subject = "GPIO soc GPIO24"
    let cause = "the line is used by trackerd"
    let remedy: String? = "Stop it."
}

private final class ScriptedInput: EventSource {
    let name = "input"
    let fault: (any Fault)?
    private var events: [Event]

    init(_ events: [Event], fault: (any Fault)?) {
        self.events = events
        self.fault = fault
    }

    var wait: Wait { Wait(deadline: .boot) }

    func advance(at now: Instant) -> [Event] { events.isEmpty ? [] : [events.removeFirst()] }
}

/// A clock that advances by a second with each reading.
private final class TrialClock: LoopClock {
    let bootID = "boot"
    private var moment = Instant(seconds: 50)

    func now() -> Instant {
        defer { moment = moment + .seconds(1) }
        return moment
    }

    func wallTime() -> (time: Timestamp, isTrusted: Bool) { (Timestamp(milliseconds: 1_767_225_600_000), true) }
    func realTime(until moment: Instant) -> Duration { .zero }
}
