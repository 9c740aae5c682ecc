package import Quantities

package struct PowerPolicy: Sendable, Hashable {
    /// With nil, only an exhausted battery halts the board.
    package var haltAfter: Duration?
    /// From the halt until the board's clock wakes it; nil if something else does.
    package var wakeAfter: Duration?
    /// Nil if the voltage is not evaluated.
    package var lowVoltage: Volts?

    package init(haltAfter: Duration? = nil, wakeAfter: Duration? = nil, lowVoltage: Volts? = nil) {
        self.haltAfter = haltAfter
        self.wakeAfter = wakeAfter
        self.lowVoltage = lowVoltage
    }

    package static let leastVoltage = Volts(6)

    /// A limit this low is no vehicle's: the cells of an uninterruptible supply are measured.
    package var measuresCells: Bool { lowVoltage.map { $0 < Volts(9) } ?? false }

    /// Any other voltage is a fault of the monitor or its wires. A load dump in a vehicle with 24 V reaches 58 V.
    package var plausible: ClosedRange<Volts> {
        (measuresCells ? (lowVoltage ?? .zero) * 0.5 : Self.leastVoltage)...Volts(60)
    }
}

package struct ProgramFacts: Sendable, Hashable {
    package var version: String?
    package var board: String?
    package var bootID: String?

    package init(version: String? = nil, board: String? = nil, bootID: String? = nil) {
        self.version = version
        self.board = board
        self.bootID = bootID
    }
}
