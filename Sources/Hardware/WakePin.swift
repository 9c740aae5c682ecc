package enum WakePin {
    package enum Knowledge: Sendable, Hashable {
        /// Boots the halted board when it goes low.
        case line(Int)
        case none
        /// A chip of another kind of computer.
        case unknown
    }

    /// GPIO3 boots the models up to the Raspberry Pi 4 (Raspberry Pi documentation, `WAKE_ON_GPIO`); the 5 is excluded there,
    /// since its header has no supply after a halt.
    package static func of(chip: String) -> Knowledge {
        switch chip {
        case "pinctrl-bcm2835", "pinctrl-bcm2711": .line(3)
        case "pinctrl-rp1": .none
        default: .unknown
        }
    }

    /// Nil if it can boot the halted board, or if the chip is unknown.
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
