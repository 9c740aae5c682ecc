import Hardware
import Quantities

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
