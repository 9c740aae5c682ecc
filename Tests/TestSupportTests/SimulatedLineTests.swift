import Contracts
import Glibc
import Hardware
import Quantities
import TestSupport
import Testing

@Suite("Simulated GPIO lines")
struct SimulatedLineTests {
    @Test("Simulated lines fulfil the contract of lines.")
    func contract() {
        #expect(violationsOfLineContract(SimulatedLineBench()) == [])
    }

    @Test("All operations on a line are recorded in order.")
    func operations() throws {
        let lines = SimulatedLines()
        let wire = LineReference(chip: "pinctrl-lab", line: .offset(27))
        var line: (any OutputLine)? = try lines.output(wire, .active)
        try line?.set(.floating)
        line = nil
        #expect(lines.operations == [.taken(wire, .active), .set(wire, .floating), .released(wire)])
    }

    @Test("A line that another consumer has requested is refused with the consumer's name.")
    func busy() {
        let lines = SimulatedLines()
        let wire = LineReference(chip: "pinctrl-lab", line: .name("GPIO17"))
        lines.occupy(wire, by: "gpiomon")
        #expect(throws: LineError.busy(wire, consumer: "gpiomon", program: nil)) { try lines.input(wire) }
    }
}

private final class SimulatedLineBench: LineBench {
    private let world = SimulatedLines()

    var lines: any LineProvider { world }
    let free = (
        output: LineReference(chip: "pinctrl-lab", line: .name("GPIO27")),
        input: LineReference(chip: "pinctrl-lab", line: .offset(17))
    )

    func pull(_ line: LineReference, isHigh: Bool) {
        world.now = world.now + .milliseconds(1)
        world.pull(line, isHigh: isHigh)
    }

    func isHigh(_ line: LineReference) -> Bool { world.isHigh(line) }
    func isDriven(_ line: LineReference) -> Bool { world.isDriven(line) }

    func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}
