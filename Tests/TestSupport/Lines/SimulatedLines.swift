package import Hardware
package import Quantities

/// GPIO chips that exist in memory alone: pulled by a test, driven by the program, held by whom the test says.
package final class SimulatedLines: LineProvider {
    /// What has been done to a line, for tests to look at.
    package enum Deed: Sendable, Hashable {
        case taken(LineReference, OutputLevel)
        case listened(LineReference)
        case set(LineReference, OutputLevel)
        case released(LineReference)
    }

    /// All that was done, in order.
    package private(set) var deeds: [Deed] = []
    /// The present moment, which edges are stamped with.
    package var now = Instant.boot
    /// While there is one, every call throws it.
    package var failure: ((LineReference) -> LineError)?

    private let chips: [SimulatedChip]

    /// Makes a world with these chips.
    package init(_ chips: [SimulatedChip] = [SimulatedChip()]) { self.chips = chips }

    /// The level on the wire, whoever drives it: true for the high one.
    package func isHigh(_ line: LineReference) -> Bool { pin(line)?.isHigh ?? false }

    /// Pulls a wire up or down, as what is connected to it does.
    package func pull(_ line: LineReference, isHigh: Bool) { pin(line)?.pull(isHigh: isHigh, at: now) }

    /// Whether the program drives the wire.
    package func isDriven(_ line: LineReference) -> Bool { pin(line)?.isDriven ?? false }

    /// Lets somebody else hold a line, or let go of it.
    package func occupy(_ line: LineReference, by consumer: String?) { pin(line)?.consumer = consumer }

    /// Takes a line as output.
    package func output(_ line: LineReference, _ level: OutputLevel) throws(LineError) -> any OutputLine {
        let held = try SimulatedLine(line, pin: free(line), world: self)
        deeds.append(.taken(line, level))
        held.drive(level)
        return held
    }

    /// Takes a line as input.
    package func input(_ line: LineReference) throws(LineError) -> any InputLine {
        let held = try SimulatedLine(line, pin: free(line), world: self)
        deeds.append(.listened(line))
        held.pin.listen(bias: line.bias)
        return held
    }

    /// Notes what was done to a line.
    func note(_ deed: Deed) { deeds.append(deed) }

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

/// A chip of a simulation.
package struct SimulatedChip {
    /// What it is found by.
    package let label: String
    private let pins: [SimulatedPin]

    /// Makes a chip whose lines are called `GPIO0` and so on.
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

/// A line of a simulated chip that is held.
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

    /// Drives the wire, or lets go of it.
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
