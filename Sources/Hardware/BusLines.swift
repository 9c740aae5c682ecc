/// The GPIO numbers of an I²C bus on a Raspberry Pi.
package struct BusLines: Sendable, Hashable {
    package let data: Int
    package let clock: Int

    /// `bus` is a path such as `/dev/i2c-1`. The lines of i2c-0 and i2c-1 are fixed; the header's boot lines set the
    /// others. Nil if the bus does not use `chip`, or if its lines are unknown.
    package init?(of bus: String, on chip: String, _ header: HeaderWiring?) {
        guard bus.hasPrefix("/dev/i2c-"), let number = Int(bus.dropFirst(9)) else { return nil }
        switch number {
        case 0 where Self.chips.contains(chip): (data, clock) = (0, 1)
        case 1 where Self.chips.contains(chip): (data, clock) = (2, 3)
        default:
            guard let header, header.chip == chip,
                let lines = header.bootLines.lazy.compactMap({ Self.lines(ofBus: number, in: $0) }).first
            else { return nil }
            (data, clock) = lines
        }
    }

    /// The chips of a Raspberry Pi's header.
    private static let chips: Set = ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"]

    /// Reads a line of config.txt: `dtoverlay=i2c3,pins_4_5`, or `dtoverlay=i2c-gpio` with `bus`, `i2c_gpio_sda` and
    /// `i2c_gpio_scl` (Raspberry Pi's README of the overlays).
    private static func lines(ofBus number: Int, in line: String) -> (Int, Int)? {
        let words = line.split { "=,_".contains($0) }.map(String.init)
        func value(after word: String) -> Int? {
            words.firstIndex(of: word).flatMap { $0 + 1 < words.count ? Int(words[$0 + 1]) : nil }
        }
        guard words.first == "dtoverlay", words.count > 1 else { return nil }
        if words[1] == "i2c-gpio", value(after: "bus") == number, let data = value(after: "sda"),
            let clock = value(after: "scl")
        {
            return (data, clock)
        }
        guard words[1] == "i2c\(number)", let pins = words.firstIndex(of: "pins"), pins + 2 < words.count,
            let data = Int(words[pins + 1]), let clock = Int(words[pins + 2])
        else { return nil }
        return (data, clock)
    }
}

package enum WakePin {
    package enum Knowledge: Sendable, Hashable {
        /// Boots the halted board when it goes low.
        case line(Int)
        case none
        /// A chip of another kind of computer.
        case unknown
    }

    /// GPIO3 boots the models up to the Raspberry Pi 4 (Raspberry Pi documentation, `WAKE_ON_GPIO`), but not the 5,
    /// whose header has no supply after a halt.
    package static func of(chip: String) -> Knowledge {
        switch chip {
        case "pinctrl-bcm2835", "pinctrl-bcm2711": .line(3)
        case "pinctrl-rp1": .none
        default: .unknown
        }
    }

    /// Nil if the line can boot the halted board, or if the chip is unknown.
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
