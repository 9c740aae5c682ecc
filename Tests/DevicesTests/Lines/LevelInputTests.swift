import Devices
import Hardware
import Quantities
import TestSupport
import Testing
import Tracking

@Suite("An input of the vehicle")
struct LevelInputTests {
    private let lines = SimulatedLines()
    private let wire = LineReference(chip: "pinctrl-lab", line: .name("GPIO17"))
    private let start = Instant(seconds: 1000)

    private func pull(_ isHigh: Bool, after span: Duration) {
        lines.now = start + span
        lines.pull(wire, isHigh: isHigh)
    }

    @Test("The ignition's level is reported once at the start.", arguments: [true, false])
    func first(isOn: Bool) {
        lines.pull(wire, isHigh: isOn)
        let input = LevelInput.ignition(wire, on: lines)
        #expect(input.wait == Wait(deadline: .boot))
        #expect(input.advance(at: start) == [.ignition(isOn: isOn)])
        #expect(input.advance(at: start) == [])
        #expect(input.wait.deadline == nil)
    }

    @Test("A lasting change of the ignition is reported.")
    func ignition() {
        let input = LevelInput.ignition(wire, on: lines)
        _ = input.advance(at: start)
        pull(true, after: .seconds(10))
        #expect(input.advance(at: start + .seconds(10)) == [])
        #expect(input.wait.deadline == start + .milliseconds(10_100))
        #expect(input.advance(at: start + .milliseconds(10_100)) == [.ignition(isOn: true)])
        pull(false, after: .seconds(20))
        #expect(input.advance(at: start + .milliseconds(20_999)) == [])
        #expect(input.advance(at: start + .seconds(21)) == [.ignition(isOn: false)])
    }

    @Test("Bouncing contacts and a voltage drop while the starter turns are not reported.")
    func bounce() {
        lines.pull(wire, isHigh: true)
        let input = LevelInput.ignition(wire, on: lines)
        _ = input.advance(at: start)
        for (level, span) in [(false, 5.0), (true, 5.9), (false, 6.0), (true, 6.5)] {
            pull(level, after: .seconds(span))
            #expect(input.advance(at: start + .seconds(span)) == [])
        }
        #expect(input.advance(at: start + .seconds(60)) == [])
    }

    @Test("The private switch is reported once at the start, and again only after a lasting change.")
    func privateSwitch() {
        let contact = LineReference(chip: "pinctrl-lab", line: .name("GPIO17"), isActiveLow: true, bias: .pullUp)
        lines.pull(contact, isHigh: false)
        let input = LevelInput.privateSwitch(contact, on: lines)
        // The pull-up resistor pulls the line of the open contact to the inactive level.
        #expect(input.advance(at: start) == [.privateSwitch(isOn: false)])
        pull(false, after: .seconds(10))
        #expect(input.advance(at: start + .seconds(10)) == [])
        #expect(input.advance(at: start + .milliseconds(10_100)) == [.privateSwitch(isOn: true)])
        // A shock opens the contact for half a second.
        pull(true, after: .seconds(20))
        #expect(input.advance(at: start + .seconds(20)) == [])
        pull(false, after: .seconds(20.5))
        #expect(input.advance(at: start + .seconds(30)) == [])
        pull(true, after: .seconds(40))
        #expect(input.advance(at: start + .seconds(40)) == [])
        #expect(input.advance(at: start + .seconds(41)) == [.privateSwitch(isOn: false)])
    }

    @Test("A private switch whose line is lost reports a fault and no change, until the line returns at another level.")
    func lostSwitch() {
        lines.pull(wire, isHigh: true)
        let input = LevelInput.privateSwitch(wire, on: lines)
        #expect(input.advance(at: start) == [.privateSwitch(isOn: true)])
        lines.failure = { .refused($0, operation: "to read it", cause: "No such device") }
        for second in 1...9 { #expect(input.advance(at: start + .seconds(second)) == []) }
        #expect(input.name == "private switch" && input.fault != nil)
        lines.failure = nil
        lines.pull(wire, isHigh: false)
        #expect(input.advance(at: start + .seconds(70)) == [.privateSwitch(isOn: false)])
        #expect(input.fault == nil)
    }

    @Test("A failing supply is reported at once, and its return after a second.")
    func powerFail() {
        let input = LevelInput.powerFail(wire, on: lines)
        #expect(input.advance(at: start) == [])
        pull(true, after: .seconds(1))
        #expect(input.advance(at: start + .seconds(1)) == [.power(.supplyLost)])
        pull(false, after: .seconds(2))
        #expect(input.advance(at: start + .seconds(2)) == [])
        #expect(input.advance(at: start + .seconds(3)) == [.power(.supplyBack)])
    }

    @Test("A short supply failure between two turns is reported.")
    func dip() {
        let input = LevelInput.powerFail(wire, on: lines)
        _ = input.advance(at: start)
        pull(true, after: .seconds(1))
        pull(false, after: .seconds(1.001))
        #expect(input.advance(at: start + .seconds(1.002)) == [.power(.supplyLost)])
        #expect(input.advance(at: start + .seconds(2.001)) == [.power(.supplyBack)])
    }

    @Test("A supply that fails for a minute has not failed: uploads go on, and a fault names the line.")
    func endless() {
        lines.pull(wire, isHigh: true)
        let input = LevelInput.powerFail(wire, on: lines)
        #expect(input.advance(at: start) == [.power(.supplyLost)])
        #expect(input.fault == nil)
        #expect(input.wait.deadline == start + .seconds(60))
        #expect(input.advance(at: start + .seconds(60)) == [.power(.supplyBack)])
        #expect(input.fault?.description.contains("GPIO17") == true)
        #expect(input.wait.deadline == nil)
        #expect(input.advance(at: start + .seconds(7200)) == [])
    }

    @Test(
        "A true failure after an endless one is reported at once, and the input is good again after a minute of rest.")
    func trueFailure() {
        lines.pull(wire, isHigh: true)
        let input = LevelInput.powerFail(wire, on: lines)
        _ = input.advance(at: start) + input.advance(at: start + .seconds(60))
        pull(false, after: .seconds(100))
        #expect(input.advance(at: start + .seconds(100)) + input.advance(at: start + .seconds(101)) == [])
        pull(true, after: .seconds(110))
        #expect(input.advance(at: start + .seconds(110)) == [.power(.supplyLost)])
        #expect(input.advance(at: start + .seconds(115)) == [.power(.supplyBack)])
        pull(false, after: .seconds(120))
        #expect(input.advance(at: start + .seconds(120)) + input.advance(at: start + .seconds(121)) == [])
        #expect(input.fault != nil)
        #expect(input.wait.deadline == start + .seconds(181))
        #expect(input.advance(at: start + .seconds(181)) == [])
        #expect(input.fault == nil)
    }

    @Test("A line that reports failures again and again is a fault, and its failures do not count.")
    func flapping() {
        let input = LevelInput.powerFail(wire, on: lines)
        _ = input.advance(at: start)
        var losses = 0
        for cycle in 0..<60 {
            let second = Double(cycle) * 4
            pull(true, after: .seconds(second))
            losses += input.advance(at: start + .seconds(second)).count { $0 == .power(.supplyLost) }
            pull(false, after: .seconds(second + 2))
            _ = input.advance(at: start + .seconds(second + 2)) + input.advance(at: start + .seconds(second + 3))
        }
        #expect(losses == 10)
        #expect(input.fault != nil)
    }

    @Test("A failing supply is reported at the start.")
    func failing() {
        lines.pull(wire, isHigh: true)
        #expect(LevelInput.powerFail(wire, on: lines).advance(at: start) == [.power(.supplyLost)])
    }

    @Test("A line in use is requested again with growing pauses.")
    func busy() {
        lines.occupy(wire, by: "gpiomon")
        let input = LevelInput.ignition(wire, on: lines)
        var pauses: [Duration] = []
        var now = start
        for _ in 0..<8 {
            #expect(input.advance(at: now) == [])
            let next = input.wait.deadline ?? now
            pauses.append(next - now)
            #expect(input.advance(at: next - .milliseconds(1)) == [])
            now = next
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(input.fault as? LineError == .busy(wire, consumer: "gpiomon", program: nil))
        lines.occupy(wire, by: nil)
        #expect(input.advance(at: now) == [.ignition(isOn: false)])
        #expect(input.fault == nil)
    }

    @Test("A line that is lost and found again reports only changes.")
    func lost() {
        let input = LevelInput.ignition(wire, on: lines)
        _ = input.advance(at: start)
        lines.failure = { .refused($0, operation: "to read it", cause: "No such device") }
        #expect(input.advance(at: start + .seconds(1)) == [])
        #expect(input.fault != nil)
        lines.failure = nil
        #expect(input.advance(at: start + .seconds(2)) == [])
        #expect(input.fault == nil)
        lines.failure = { .refused($0, operation: "to read it", cause: "No such device") }
        _ = input.advance(at: start + .seconds(3))
        lines.failure = nil
        lines.pull(wire, isHigh: true)
        #expect(input.advance(at: start + .seconds(4)) == [.ignition(isOn: true)])
    }
}
