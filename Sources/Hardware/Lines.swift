package import Quantities

/// The GPIO lines of this computer, or simulated lines.
package protocol LineProvider: AnyObject {
    /// Requests a line as an output, which has this level from the first moment on.
    func output(_ line: LineReference, _ level: OutputLevel) throws(LineError) -> any OutputLine

    /// Requests a line as an input that reports its changes.
    func input(_ line: LineReference) throws(LineError) -> any InputLine
}

/// A requested output; the `deinit` releases the line to the kernel.
package protocol OutputLine: AnyObject {
    /// Drives the line, or makes it an input.
    func set(_ level: OutputLevel) throws(LineError)
}

package enum OutputLevel: String, Sendable, Hashable, CaseIterable {
    case active, inactive
    /// The line is an input, which drives nothing.
    case floating
}

/// A requested input; the `deinit` releases the line to the kernel.
package protocol InputLine: AnyObject {
    /// The descriptor, readable while there are unread edges.
    var descriptor: Int32 { get }

    /// Returns the current level.
    func isActive() throws(LineError) -> Bool

    /// Returns the edges since the last call, the oldest first; the call does not block.
    func edges() throws(LineError) -> [LineEdge]
}

/// A change of an input.
package struct LineEdge: Sendable, Hashable {
    /// The level after the change.
    package var isActive: Bool
    /// The moment of the change, as the kernel reports it.
    package var moment: Instant

    package init(isActive: Bool, at moment: Instant) {
        self.isActive = isActive
        self.moment = moment
    }
}

/// A line of a GPIO chip, as a board file describes the line.
package struct LineReference: Sendable, Hashable, CustomStringConvertible {
    /// The number or the name of a line.
    package enum Line: Sendable, Hashable {
        case offset(Int)
        case name(String)
    }

    /// The resistor that keeps an input from floating.
    package enum Bias: String, Sendable, Hashable, CaseIterable {
        case none, pullUp, pullDown
    }

    /// The label of the chip, such as `pinctrl-bcm2711`; the number in `/dev/gpiochipN` can differ after each boot.
    package var chip: String
    package var line: Line
    /// Whether the wire is at 0 V while the line is active.
    package var isActiveLow: Bool
    /// The resistor that keeps the line from floating, if it is an input.
    package var bias: Bias

    package init(chip: String, line: Line, isActiveLow: Bool = false, bias: Bias = .none) {
        self.chip = chip
        self.line = line
        self.isActiveLow = isActiveLow
        self.bias = bias
    }

    /// The number of the line; nil if the line has a name that does not have the form `GPIO17`, and is none of `busNames`.
    ///
    /// On Raspberry Pi computers, `GPIO17` is the name of line 17.
    package var number: Int? {
        switch line {
        case .offset(let offset): offset
        case .name(let name):
            name.hasPrefix("GPIO") ? Int(name.dropFirst(4)) ?? Self.busNames[name] : Self.busNames[name]
        }
    }

    /// The names that Debian's kernel gives to the first lines of a Raspberry Pi (`gpio-line-names` in its device trees).
    private static let busNames = ["ID_SDA": 0, "ID_SCL": 1, "SDA1": 2, "SCL1": 3, "GPIO_GCLK": 4]

    /// The line in the form for messages, such as `pinctrl-bcm2711 GPIO17`.
    package var description: String {
        switch line {
        case .offset(let offset): "\(chip) line \(offset)"
        case .name(let name): "\(chip) \(name)"
        }
    }
}

/// The program cannot use a GPIO line.
package enum LineError: Fault {
    /// No GPIO chip has this label; `present` contains the labels of the chips that exist.
    case noChip(LineReference, present: [String])
    /// The chip has no such line.
    case noLine(LineReference)
    /// Another program uses the line; the values are the name of the consumer, and the program if the search has found it.
    case busy(LineReference, consumer: String, program: String?)
    /// The user may not open the chip's device file.
    case forbidden(LineReference, device: String)
    /// The line raises no interrupts, so the program cannot wait for changes of the line.
    case noEdges(LineReference)
    case refused(LineReference, operation: String, cause: String)

    package var subject: String { "GPIO \(line)" }

    package var cause: String {
        switch self {
        case .noChip(_, let present) where present.isEmpty: "this computer has no GPIO chip"
        case .noChip(_, let present):
            "no GPIO chip has that label; the labels are \(present.joined(separator: ", "))"
        case .noLine: "the chip has no such line"
        case .busy(_, let consumer, let program): "the line is used by \(Self.user(consumer, program))"
        case .forbidden(_, let device): "no permission for \(device)"
        case .noEdges: "the line raises no interrupts and would miss changes"
        case .refused(_, let operation, let cause): "the kernel refused \(operation) (\(cause))"
        }
    }

    package var remedy: String? {
        switch self {
        case .noChip(_, let present) where present.isEmpty:
            "Check that /dev/gpiochip0 exists, or remove the line from the board file."
        case .noChip: "Correct the board file."
        case .noLine: "Run `gpioinfo` to list the lines, and correct the board file."
        case .busy: "End that program, or choose another line in the board file."
        case .forbidden: "Install trackerd's udev rules, or add its user to the group `gpio`."
        case .noEdges: "Choose another line."
        case .refused: "Run `sudo dmesg` and look for messages about the chip."
        }
    }

    private var line: LineReference {
        switch self {
        case .noChip(let line, _), .noLine(let line), .busy(let line, _, _), .forbidden(let line, _),
            .noEdges(let line), .refused(let line, _, _):
            line
        }
    }

    private static func user(_ consumer: String, _ program: String?) -> String {
        let name = consumer.isEmpty ? "a program without a name" : "`\(consumer)`"
        return program.map { "\(name), the program \($0)" } ?? name
    }
}
