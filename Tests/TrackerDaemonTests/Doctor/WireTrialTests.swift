import Hardware
import Motion
import Quantities
import Testing
import Tracking

@testable import Doctor
@testable import TrackerDaemon

@Suite("Trying a wire")
struct WireTrialTests {
    private func run(_ wire: WireTrial.Wire, _ events: [Event], fault: (any Fault)? = nil) throws -> (Bool, [String]) {
        var lines: [String] = []
        let (source, clock) = (ScriptedInput(events, fault: fault), TrialClock())
        let loop = try EventLoop(clock: clock)
        let works = try WireTrial(wire, source: source, clock: clock).run(
            for: .seconds(60), wait: { try loop.wait(for: [source], until: $0).signal != .stop },
            report: { lines.append($0) })
        return (works, lines)
    }

    @Test("Each change of a working wire is shown.")
    func works() throws {
        let (isGood, lines) = try run(.ignition, [.ignition(isOn: false), .ignition(isOn: true)])
        #expect(isGood)
        #expect(lines == ["Switch the ignition on and off now.", "The ignition is off.", "The ignition is on."])
        let (isSwitchGood, positions) = try run(
            .privateSwitch, [.privateSwitch(isOn: false), .privateSwitch(isOn: true)])
        #expect(isSwitchGood)
        #expect(positions.dropFirst() == ["The private switch is off.", "The private switch is on."])
        #expect(try run(.interrupt, [.motion(MotionVerdict(isMoving: true))]).0)
        #expect(try run(.supply, [.supply(Volts(12.614))]).1.last == "The INA219 measures 12.61 V.")
        #expect(try run(.powerFail, [.power(.supplyLost), .power(.supplyBack)]).1.last == "The supply is back.")
    }

    @Test("A wire that does not change its level is reported with the remedy.", arguments: WireTrial.Wire.allCases)
    func dead(wire: WireTrial.Wire) throws {
        let start: [WireTrial.Wire: Event] = [
            .ignition: .ignition(isOn: false), .privateSwitch: .privateSwitch(isOn: false),
        ]
        let (isGood, lines) = try run(wire, start[wire].map { [$0] } ?? [])
        #expect(!isGood)
        #expect(lines.last?.contains("Check") == true || [.interrupt, .supply].contains(wire))
    }

    @Test("A battery monitor that measures 0 V fails the trial, and the remedy names the terminal.")
    func unconnected() throws {
        let (isGood, lines) = try run(.supply, [.supply(Volts(0)), .supply(Volts(0.004))])
        #expect(!isGood)
        #expect(lines.dropFirst().dropLast() == ["The INA219 measures 0.0 V.", "The INA219 measures 0.0 V."])
        #expect(lines.last?.hasPrefix("The INA219 measured no battery voltage. Connect the battery") == true)
        #expect(lines.last?.contains("the INA219's terminal VIN-") == true)
        #expect(try run(.supply, [.supply(Volts(0)), .supply(Volts(12.6))]).0)
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
