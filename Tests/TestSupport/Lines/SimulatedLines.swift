package import Hardware
package import Quantities

/// GPIO chips in memory: a test pulls the wires, and the program under test drives the wires.
package final class SimulatedLines: LineProvider {
    package enum Operation: Sendable, Hashable {
        case taken(LineReference, OutputLevel)
        case listened(LineReference)
        case set(LineReference, OutputLevel)
        case released(LineReference)
    }

    package private(set) var operations: [Operation] = []
    /// The current time, and the time stamp of new edges.
    package var now = Instant.boot
    /// Creates the error that every request, change or read of a line throws; nil to force no error.
    package var failure: ((LineReference) -> LineError)?

    private let chips: [SimulatedChip]

    package init(_ chips: [SimulatedChip] = [SimulatedChip()]) { self.chips = chips }

    /// Returns whether the level on the wire is high, no matter what drives the wire.
    package func isHigh(_ line: LineReference) -> Bool { pin(line)?.isHigh ?? false }

    /// Pulls the wire as a connected device does.
    package func pull(_ line: LineReference, isHigh: Bool) { pin(line)?.pull(isHigh: isHigh, at: now) }

    package func isDriven(_ line: LineReference) -> Bool { pin(line)?.isDriven ?? false }

    /// Makes another consumer request a line, or releases the line if `consumer` is nil.
    package func occupy(_ line: LineReference, by consumer: String?) { pin(line)?.consumer = consumer }

    package func output(_ line: LineReference, _ level: OutputLevel) throws(LineError) -> any OutputLine {
        let held = try SimulatedLine(line, pin: free(line), world: self)
        operations.append(.taken(line, level))
        held.drive(level)
        return held
    }

    package func input(_ line: LineReference) throws(LineError) -> any InputLine {
        let held = try SimulatedLine(line, pin: free(line), world: self)
        operations.append(.listened(line))
        held.pin.listen(bias: line.bias)
        return held
    }

    func note(_ deed: Operation) { operations.append(deed) }

    private func free(_ line: LineReference) throws(LineError) -> SimulatedPin {
        if let failure { throw failure(line) }
        guard chips.contains(where: { $0.label == line.chip }) else {
            throw .noChip(line, present: chips.map(\.label))
        }
        guard let pin = pin(line) else { throw .noLine(line) }
        if let consumer = pin.consumer { throw .busy(line, consumer: consumer, program: nil) }
        return pin
    }

    private func pin(_ line: LineReference) -> SimulatedPin? {
        chips.first { $0.label == line.chip }?.pin(line.line)
    }
}

package struct SimulatedChip {
    /// The name by which the program finds the chip.
    package let label: String
    private let pins: [SimulatedPin]

    /// Makes a chip with lines named `GPIO0` and so on.
    package init(label: String = "pinctrl-lab", lines: Int = 28) {
        self.label = label
        pins = (0..<lines).map { SimulatedPin(name: "GPIO\($0)") }
    }

    func pin(_ line: LineReference.Line) -> SimulatedPin? {
        switch line {
        case .offset(let offset): pins.indices.contains(offset) ? pins[offset] : nil
        case .name(let name): pins.first { $0.name == name }
        }
    }
}

/// A line of a simulated chip that the program has requested.
final class SimulatedLine: OutputLine, InputLine {
    let pin: SimulatedPin
    private let reference: LineReference
    private let world: SimulatedLines

    init(_ reference: LineReference, pin: SimulatedPin, world: SimulatedLines) {
        self.reference = reference
        self.pin = pin
        self.world = world
        pin.consumer = "trackerd"
    }

    deinit {
        pin.release()
        world.note(.released(reference))
    }

    var descriptor: Int32 { pin.descriptor }

    func set(_ level: OutputLevel) throws(LineError) {
        if let failure = world.failure { throw failure(reference) }
        world.note(.set(reference, level))
        drive(level)
    }

    func drive(_ level: OutputLevel) {
        switch level {
        case .active: pin.drive(isHigh: !reference.isActiveLow, at: world.now)
        case .inactive: pin.drive(isHigh: reference.isActiveLow, at: world.now)
        case .floating: pin.drive(isHigh: nil, at: world.now)
        }
    }

    func isActive() throws(LineError) -> Bool {
        if let failure = world.failure { throw failure(reference) }
        return pin.isHigh != reference.isActiveLow
    }

    func edges() throws(LineError) -> [LineEdge] {
        if let failure = world.failure { throw failure(reference) }
        return pin.takeEdges().map { LineEdge(isActive: $0.isHigh != reference.isActiveLow, at: $0.moment) }
    }
}
