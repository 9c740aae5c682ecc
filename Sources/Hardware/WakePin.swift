/// The pins that boot a halted Raspberry Pi.
package enum WakePin {
    /// What trackerd knows about the pin of a GPIO chip that wakes the board.
    package enum Knowledge: Sendable, Hashable {
        /// This line of the chip boots the halted board when the line goes low.
        case line(Int)
        /// No line of the chip boots the board.
        case none
        /// The chip belongs to another kind of computer.
        case unknown
    }

    /// Returns what trackerd knows about the chip with this label.
    ///
    /// GPIO3 boots the models of the Raspberry Pi up to the 4 (Raspberry Pi documentation, `WAKE_ON_GPIO`). The same chapter
    /// excludes the Raspberry Pi 5, whose header has no supply after a halt.
    package static func of(chip: String) -> Knowledge {
        switch chip {
        case "pinctrl-bcm2835", "pinctrl-bcm2711": .line(3)
        case "pinctrl-rp1": .none
        default: .unknown
        }
    }

    /// Returns why this interrupt line cannot boot the halted board, and what to do; nil if it can, or if the chip is unknown.
    package static func fault(of line: LineReference) -> String? {
        switch of(chip: line.chip) {
        case .unknown: nil
        case .none:
            "no line of \(line.chip) boots a halted Raspberry Pi 5. Write `wakeUp: clock` with `wakeAfter`, or `wakeUp: supply`."
        case .line(let number) where line.number != number:
            "only line \(number) of \(line.chip), GPIO\(number), boots the halted board, and the interrupt is on \(line). Move the wire there, or write `wakeUp: none`."
        case .line(let number) where !line.isActiveLow:
            "GPIO\(number) boots the halted board when it goes low, and the interrupt is active high. Invert it with a transistor and write `activeLow: true`, or write `wakeUp: none`."
        case .line: nil
        }
    }
}
