package import Quantities

/// When to halt the board and when to wake it, and which battery voltage is low.
package struct PowerPolicy: Sendable, Hashable {
    /// How long the vehicle is parked before the board halts; nil if only an exhausted battery halts the board.
    package var haltAfter: Duration?
    /// How long after the halt the board's clock wakes the board; nil if something else wakes it.
    package var wakeAfter: Duration?
    /// The voltage below which the vehicle's battery is low; nil if trackerd does not evaluate the voltage.
    package var lowVoltage: Volts?

    /// Makes a policy; a function is off if its argument is nil.
    package init(haltAfter: Duration? = nil, wakeAfter: Duration? = nil, lowVoltage: Volts? = nil) {
        self.haltAfter = haltAfter
        self.wakeAfter = wakeAfter
        self.lowVoltage = lowVoltage
    }

    /// The lowest voltage on which the electronics of a vehicle run.
    package static let leastVoltage = Volts(6)

    /// Whether the limit is too low for a vehicle: the monitor then measures the own cells of an uninterruptible supply.
    package var measuresCells: Bool { lowVoltage.map { $0 < Volts(9) } ?? false }

    /// The voltages that the battery may have; any other measurement is a fault of the monitor or of its wires.
    ///
    /// A load dump in a vehicle with 24 V reaches 58 V.
    package var plausible: ClosedRange<Volts> {
        (measuresCells ? (lowVoltage ?? .zero) * 0.5 : Self.leastVoltage)...Volts(60)
    }
}

/// The program that runs, and the computer that it runs on.
package struct ProgramFacts: Sendable, Hashable {
    package var version: String?
    package var board: String?
    /// The identifier of this boot of the computer.
    package var bootID: String?

    /// Makes the facts about program and board; an omitted fact is unknown.
    package init(version: String? = nil, board: String? = nil, bootID: String? = nil) {
        self.version = version
        self.board = board
        self.bootID = bootID
    }
}

extension PowerManager {
    /// The part of the power manager that survives a restart.
    package struct Snapshot: Sendable, Hashable, Encodable {
        /// The last level of the ignition line; off if the program has never read the line.
        package var ignition = false
        /// Number of boots of the computer during which the program has run.
        package var boots = 0
        /// The identifier of the boot that was counted last.
        package var bootID: String?
        /// The period in which `haltAfter` does not halt the board; nil if no command keeps the board awake.
        package var awake: AwakePeriod?

        package enum CodingKeys: String, CodingKey { case ignition, boots, bootID, awake }

        /// Merges this snapshot, which the store found only after the start, with `live`, the state since the start.
        func continued(by live: Self) -> Self {
            var merged = live
            merged.boots = boots + (bootID != nil && bootID == live.bootID ? 0 : live.boots)
            merged.awake = live.awake ?? awake
            return merged
        }
    }
}

extension PowerManager.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
        fields.read(.ignition, into: &ignition)
        fields.read(.boots, into: &boots)
        fields.read(.bootID, into: &bootID)
        fields.read(.awake, into: &awake)
    }
}
