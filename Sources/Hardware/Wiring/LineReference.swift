/// A line of a GPIO chip, as a board file names it.
package struct LineReference: Sendable, Hashable, CustomStringConvertible {
    /// Which line of the chip.
    package enum Line: Sendable, Hashable {
        case offset(Int)
        case name(String)
    }

    /// What keeps an input from floating.
    package enum Bias: String, Sendable, Hashable, CaseIterable {
        case none, pullUp, pullDown
    }

    /// The chip's label, such as `pinctrl-bcm2711`: the number in `/dev/gpiochipN` changes from boot to boot.
    package var chip: String
    /// Which line of it.
    package var line: Line
    /// Whether the wire is at 0 V when the line is active.
    package var isActiveLow: Bool
    /// What keeps it from floating, if it is an input.
    package var bias: Bias

    /// Names a line.
    package init(chip: String, line: Line, isActiveLow: Bool = false, bias: Bias = .none) {
        self.chip = chip
        self.line = line
        self.isActiveLow = isActiveLow
        self.bias = bias
    }

    /// The number of the line, as far as its name tells: on the computers of Raspberry Pi `GPIO17` is line 17.
    package var number: Int? {
        switch line {
        case .offset(let offset): offset
        case .name(let name): name.hasPrefix("GPIO") ? Int(name.dropFirst(4)) : nil
        }
    }

    /// As written in messages, such as `pinctrl-bcm2711 GPIO17`.
    package var description: String {
        switch line {
        case .offset(let offset): "\(chip) line \(offset)"
        case .name(let name): "\(chip) \(name)"
        }
    }
}
