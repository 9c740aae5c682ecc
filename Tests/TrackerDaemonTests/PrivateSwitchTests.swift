@testable import Control
import Devices
import Hardware
import Quantities
import TestSupport
import Testing
@testable import TrackerDaemon
import Tracking

@Suite("A private switch on a line of the board")
struct PrivateSwitchTests {
    private static let contact = LineReference(chip: "pinctrl-lab", line: .name("GPIO23"))
    private let lines = SimulatedLines()
    private let input: LevelInput
    private let conversation: ControlConversation

    init() throws {
        input = LevelInput.privateSwitch(Self.contact, on: lines)
        conversation = try ControlConversation { $0.hasPrivateSwitch = true }
        _ = conversation.reply(to: #"{"request":"move"}"#)
    }

    /// Turns the switch, and lets a second pass in which the input accepts the change.
    private func turn(_ isOn: Bool, at second: Int) {
        lines.now = .boot + .seconds(second)
        lines.pull(Self.contact, isHigh: isOn)
        read(at: second)
        read(at: second + 1)
    }

    private func read(at second: Int) {
        for event in input.advance(at: .boot + .seconds(second)) { conversation.tell(event, at: second) }
    }

    /// Drives to the east at 7 m/s; returns the messages that a server receives for these seconds.
    private func drive(_ seconds: ClosedRange<Int>) throws -> [String] {
        let before = try conversation.messages().count
        for second in seconds { conversation.drive(to: 13.4 + Double(second) * 0.0001, at: second) }
        // The tracker may keep plain locations in memory for 5 s.
        _ = conversation.tracker.runner.flushIfDue(at: .boot + .seconds(1000))
        return Array(try conversation.messages().dropFirst(before))
    }

    @Test(
        "While the switch is on, servers receive no position, and the odometer continues; then positions follow again.")
    func positions() throws {
        turn(false, at: 1)
        #expect(try drive(3...60).contains { $0.contains(#""lat":"#) })
        turn(true, at: 61)
        let before = conversation.tracker.runner.engine.odometer
        #expect(try drive(63...120).allSatisfy { !$0.contains(#""lat":"#) })
        #expect(conversation.tracker.runner.engine.odometer - before > Metres(300))
        let status = try #require(conversation.reply(to: #"{"request":"status"}"#))
        #expect(status.contains(#""privacy":{"reasons":["switch"]}"#) && !status.contains(#""location""#))
        turn(false, at: 121)
        #expect(try drive(123...180).contains { $0.contains(#""lat":"#) })
    }

    @Test("The answer to `private off` states that only the switch ends the private time.")
    func command() throws {
        turn(true, at: 1)
        let off = #"{"request":"private off"}"#
        let remedy = "Only the switch in the vehicle can end its own period."
        let first = try #require(conversation.reply(to: off))
        #expect(first.contains("The position is still private: private switch. \(remedy)"))
        _ = conversation.reply(to: #"{"request":"private on"}"#)
        let second = try #require(conversation.reply(to: off))
        #expect(
            second.contains(
                "The period begun by command has ended, but the position is still private: private switch. \(remedy)"))
        #expect(conversation.tracker.runner.engine.status.privacyReasons == [.privateSwitch])
        conversation.permit(["home": Set(RemotePermission.allCases)])
        #expect(try conversation.order(off)?.isAccepted == false)
        turn(false, at: 3)
        #expect(!conversation.tracker.runner.engine.isPrivate)
    }

    @Test("If the line is lost, the last position of the switch remains in force, and a fault names the line.")
    func lost() throws {
        turn(true, at: 1)
        lines.failure = { .refused($0, operation: "to read it", cause: "No such device") }
        read(at: 3)
        #expect(input.fault?.subject == "GPIO pinctrl-lab GPIO23")
        #expect(try drive(4...60).allSatisfy { !$0.contains(#""lat":"#) })
        lines.failure = nil
        lines.pull(Self.contact, isHigh: false)
        read(at: 61)
        #expect(input.fault == nil)
        #expect(try drive(62...120).contains { $0.contains(#""lat":"#) })
    }
}
