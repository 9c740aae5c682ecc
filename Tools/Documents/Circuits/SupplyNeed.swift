package import Hardware

/// The demands of a board on the supply circuit, computed from Raspberry Pi's figures and the currents in the board file.
package struct SupplyNeed: Sendable, Hashable {
    /// The current that the recommended power supply delivers, in amperes.
    package let recommended: Double
    /// The typical current of the active board, in amperes.
    package let active: Double
    private let currents: Currents

    /// Nil for a board whose power requirements are not listed here.
    package init?(_ board: BoardDescription) {
        // "Typical power requirements" in Raspberry Pi's documentation of power supplies.
        let known: [String: (recommended: Double, active: Double)] = [
            "zero2w": (2, 0.35), "pi3": (2.5, 0.4), "pi4": (3, 0.6), "pi5": (5, 0.8),
        ]
        guard let need = known[board.name] else { return nil }
        (recommended, active, currents) = (need.recommended, need.active, board.currents)
    }

    /// The highest current at F1 in amperes, while the starter pulls the battery down to 9 V.
    package var inputCurrent: Double { recommended * 5 / Self.efficiency / 9 }

    package var fuse: Int {
        Self.fuses.first { Double($0) >= inputCurrent * 1.25 } ?? Self.fuses[Self.fuses.count - 1]
    }

    /// The time in seconds for which C2 and C3 supply twice the active current, while their voltage falls from 5.0 V to 4.63 V.
    package var holdUp: Double {
        let current = active * 2
        let switches = current > 1.5 ? 2.0 : 1.0
        // U3 has 79 mΩ at 5 V (data sheet); C2 and C3 have 80 mΩ together.
        let drop = current * (0.079 / switches + 0.08)
        // Below 4.63 V a Raspberry Pi reports an undervoltage (Raspberry Pi's documentation of power supplies).
        return (5 - 4.63 - drop) * 12.5 / current
    }

    /// The charge in Ah that a board which stays on while parked draws from the battery in a day.
    package func perDay(at battery: Double) -> Double { perDay(currents.board_mA, at: battery) }

    /// The charge in Ah that a halted board draws from the battery in a day; nil if the board file does not state the current.
    package func perDayHalted(at battery: Double) -> Double? { currents.halted_mA.map { perDay($0, at: battery) } }

    private func perDay(_ current_mA: Double, at battery: Double) -> Double {
        (current_mA * 5 / Self.efficiency / battery + Self.standby_mA) * 24 / 1000
    }

    /// The lowest efficiency that makers of such converters state; many converters reach 90 %.
    private static let efficiency = 0.8
    /// The converter's own current without load is 2 to 4 mA; the dividers take 0.6 mA at 12.5 V.
    private static let standby_mA = 5.0
    /// Blade fuses in amperes (ISO 8820-3).
    private static let fuses = [1, 2, 3, 5, 10]
}
