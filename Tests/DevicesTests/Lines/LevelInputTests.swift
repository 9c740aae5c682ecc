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

    @Test("tells once at the start whether the ignition is on", arguments: [true, false])
    func first(isOn: Bool) {
        lines.pull(wire, isHigh: isOn)
        let input = LevelInput.ignition(wire, on: lines)
        #expect(input.wait == Wait(deadline: .boot))
        #expect(input.advance(at: start) == [.ignition(isOn: isOn)])
        #expect(input.advance(at: start) == [])
        #expect(input.wait.deadline == nil)
    }

    @Test("tells of the ignition when a change has lasted")
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

    @Test("does not tell of contacts that bounce, nor of a voltage that drops while the starter turns")
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

    @Test("tells of a failing supply in the same turn, and of its return after a second")
    func powerFail() {
        let input = LevelInput.powerFail(wire, on: lines)
        #expect(input.advance(at: start) == [])
        pull(true, after: .seconds(1))
        #expect(input.advance(at: start + .seconds(1)) == [.power(.supplyLost)])
        pull(false, after: .seconds(2))
        #expect(input.advance(at: start + .seconds(2)) == [])
        #expect(input.advance(at: start + .seconds(3)) == [.power(.supplyBack)])
    }

    @Test("tells of a supply that failed for a moment between two turns")
    func dip() {
        let input = LevelInput.powerFail(wire, on: lines)
        _ = input.advance(at: start)
        pull(true, after: .seconds(1))
        pull(false, after: .seconds(1.001))
        #expect(input.advance(at: start + .seconds(1.002)) == [.power(.supplyLost)])
        #expect(input.advance(at: start + .seconds(2.001)) == [.power(.supplyBack)])
    }

    @Test("tells at the start that the supply is failing")
    func failing() {
        lines.pull(wire, isHigh: true)
        #expect(LevelInput.powerFail(wire, on: lines).advance(at: start) == [.power(.supplyLost)])
    }

    @Test("is tried again with growing pauses while somebody else holds the line")
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
        #expect(
            input.complaint
                == "GPIO pinctrl-lab GPIO17: is held by `gpiomon`. End that, or choose another line in the board file.")
        lines.occupy(wire, by: nil)
        #expect(input.advance(at: now) == [.ignition(isOn: false)])
        #expect(input.complaint == nil)
    }

    @Test("that is lost and comes back tells only what has changed")
    func lost() {
        let input = LevelInput.ignition(wire, on: lines)
        _ = input.advance(at: start)
        lines.failure = { .refused($0, operation: "reading it", cause: "No such device") }
        #expect(input.advance(at: start + .seconds(1)) == [])
        #expect(input.complaint != nil)
        lines.failure = nil
        #expect(input.advance(at: start + .seconds(2)) == [])
        #expect(input.complaint == nil)
        lines.failure = { .refused($0, operation: "reading it", cause: "No such device") }
        _ = input.advance(at: start + .seconds(3))
        lines.failure = nil
        lines.pull(wire, isHigh: true)
        #expect(input.advance(at: start + .seconds(4)) == [.ignition(isOn: true)])
    }
}
