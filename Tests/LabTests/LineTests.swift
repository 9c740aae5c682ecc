import Contracts
import Devices
import Foundation
import Glibc
import Hardware
import Quantities
import Testing
import Tracking

extension InTheLab {
    @Suite("GPIO lines through libgpiod")
    struct LineTests {
        private let lines = GPIOLines()
        private let clock = BootClock()

        private func line(_ number: Int, isActiveLow: Bool = false) -> LineReference {
            LineReference(chip: LabLines.chip, line: .name("GPIO\(number)"), isActiveLow: isActiveLow)
        }

        @Test("libgpiod's lines fulfil the line contract.")
        func contract() {
            #expect(violationsOfLineContract(LabLineBench(lines)) == [])
        }

        @Test("Lines are requested under the daemon's name and released as inputs.")
        func releasing() throws {
            var held: (any OutputLine)? = try lines.output(line(27), .active)
            #expect(try LabLines.holder(of: 27) == "trackerd")
            #expect(try LabLines.isDriven(27))
            withExtendedLifetime(held) {}
            held = nil
            #expect(try LabLines.holder(of: 27) == nil)
            try LabLines.pull(27, up: false)
            #expect(try !LabLines.isHigh(27))
        }

        @Test("The fault of a busy line names the consumer and its program.")
        func busy() throws {
            let other = try HeldLine(17, consumer: "door sensor")
            let program = try Lab.read("/proc/self/comm")
            let mine = "\(program) (process \(getpid()))"
            #expect(throws: LineError.busy(line(17), consumer: "door sensor", program: mine)) {
                try lines.input(line(17))
            }
            withExtendedLifetime(other) {}
        }

        @Test("An edge has the time of the loop's clock.")
        func stamps() throws {
            try LabLines.pull(17, up: false)
            let input = try lines.input(line(17))
            let before = clock.now()
            try LabLines.pull(17, up: true)
            LabLineBench.letEdgesArrive()
            let edge = try #require(try input.edges().first)
            #expect(edge.isActive)
            #expect(before <= edge.moment && edge.moment <= clock.now())
        }

        @Test("Sixteen unread edges are not lost.")
        func burst() throws {
            try LabLines.pull(17, up: false)
            let input = try lines.input(line(17))
            let levels = (1...16).map { $0 % 2 == 1 }
            for level in levels {
                try LabLines.pull(17, up: level)
                LabLineBench.letEdgesArrive()
            }
            #expect(try input.edges().map(\.isActive) == levels)
        }

        @Test("The ignition is reported after its level has lasted, and a failing supply within milliseconds.")
        func inputs() throws {
            try LabLines.pull(17, up: false)
            try LabLines.pull(22, up: true)
            let ignition = LevelInput.ignition(line(17), on: lines)
            let supply = LevelInput.powerFail(line(22, isActiveLow: true), on: lines)
            #expect(ignition.advance(at: clock.now()) == [.ignition(isOn: false)])
            #expect(supply.advance(at: clock.now()) == [])
            try LabLines.pull(17, up: true)
            let turnedOn = clock.now()
            #expect(events(of: ignition, within: .seconds(2)) == [.ignition(isOn: true)])
            #expect(clock.now() - turnedOn >= .milliseconds(100))
            try LabLines.pull(22, up: false)
            let failed = clock.now()
            #expect(events(of: supply, within: .seconds(2)) == [.power(.supplyLost)])
            #expect(clock.now() - failed < .milliseconds(50))
        }

        @Test("The private switch is reported at the start, and again after its contact has remained open or closed.")
        func privateSwitch() throws {
            try LabLines.pull(23, up: false)
            let contact = LevelInput.privateSwitch(line(23, isActiveLow: true), on: lines)
            #expect(contact.advance(at: clock.now()) == [.privateSwitch(isOn: true)])
            try LabLines.pull(23, up: true)
            let opened = clock.now()
            #expect(events(of: contact, within: .seconds(10)) == [.privateSwitch(isOn: false)])
            #expect(clock.now() - opened >= .seconds(1))
            try LabLines.pull(23, up: false)
            #expect(events(of: contact, within: .seconds(10)) == [.privateSwitch(isOn: true)])
        }

        @Test("A light on a line can be switched on and off, and is off after the program closes it.")
        func light() throws {
            let light = LineIndicator(line(5), on: lines)
            light.show(isLit: true)
            #expect(try LabLines.isHigh(5))
            light.show(isLit: false)
            #expect(try !LabLines.isHigh(5))
            #expect(light.fault == nil)
            light.close(at: clock.now(), by: clock.now())
            #expect(try LabLines.holder(of: 5) == nil)
        }

        /// Waits as the daemon's loop does until the source reports an event; returns an empty list if it reports none.
        private func events(of source: any EventSource, within span: Duration) -> [Event] {
            let end = clock.now() + span
            while clock.now() < end {
                let wait = source.wait
                let next = min(wait.deadline ?? end, end)
                guard case .read(let descriptor) = wait.interest else { return [] }
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, Int32(max(0, (next - clock.now()).inSeconds * 1000).rounded(.up)))
                let events = source.advance(at: clock.now())
                if !events.isEmpty { return events }
            }
            return []
        }
    }
}

final class LabLineBench: LineBench {
    let lines: any LineProvider
    let free = (
        output: LineReference(chip: LabLines.chip, line: .name("GPIO23")),
        input: LineReference(chip: LabLines.chip, line: .offset(24))
    )

    init(_ lines: any LineProvider) { self.lines = lines }

    func pull(_ line: LineReference, isHigh: Bool) {
        try? LabLines.pull(Self.number(line), up: isHigh)
        Self.letEdgesArrive()
    }

    func isHigh(_ line: LineReference) -> Bool { (try? LabLines.isHigh(Self.number(line))) ?? false }
    func isDriven(_ line: LineReference) -> Bool { (try? LabLines.isDriven(Self.number(line))) ?? false }

    func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// The simulated chip raises its interrupts at the next tick of the guest's clock, which ticks 100 times per second.
    static func letEdgesArrive() { poll(nil, 0, 30) }

    private static func number(_ line: LineReference) -> Int {
        switch line.line {
        case .offset(let offset): offset
        case .name(let name): Int(name.dropFirst("GPIO".count)) ?? -1
        }
    }
}
