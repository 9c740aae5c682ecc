package import Quantities

package protocol LineProvider: AnyObject {
    /// The line has this level from the first moment on.
    func output(_ line: LineReference, _ level: OutputLevel) throws(LineError) -> any OutputLine

    func input(_ line: LineReference) throws(LineError) -> any InputLine
}

/// `deinit` releases the line to the kernel.
package protocol OutputLine: AnyObject {
    func set(_ level: OutputLevel) throws(LineError)
}

package enum OutputLevel: String, Sendable, Hashable, CaseIterable {
    case active, inactive
    /// An input, which drives nothing.
    case floating
}

/// `deinit` releases the line to the kernel.
package protocol InputLine: AnyObject {
    /// Readable while there are unread edges.
    var descriptor: Int32 { get }

    func isActive() throws(LineError) -> Bool

    /// Returns the edges since the last call, the oldest first; does not block.
    func edges() throws(LineError) -> [LineEdge]
}

package struct LineEdge: Sendable, Hashable {
    /// True if the line is active after the change.
    package var isActive: Bool
    /// As the kernel reports it.
    package var moment: Instant

    package init(isActive: Bool, at moment: Instant) {
        self.isActive = isActive
        self.moment = moment
    }
}

package struct LineReference: Sendable, Hashable, CustomStringConvertible {
    package enum Line: Sendable, Hashable {
        case offset(Int)
        case name(String)
    }

    package enum Bias: String, Sendable, Hashable, CaseIterable {
        case none, pullUp, pullDown
    }

    /// Such as `pinctrl-bcm2711`; the number in `/dev/gpiochipN` can differ after each boot.
    package var chip: String
    package var line: Line
    /// True if the line is active at 0 V.
    package var isActiveLow: Bool
    /// Keeps an input from floating.
    package var bias: Bias

    package init(chip: String, line: Line, isActiveLow: Bool = false, bias: Bias = .none) {
        self.chip = chip
        self.line = line
        self.isActiveLow = isActiveLow
        self.bias = bias
    }

    /// The number of a line on a Raspberry Pi, 17 for `GPIO17`; nil for other names, except `busNames`.
    package var number: Int? {
        switch line {
        case .offset(let offset): offset
        case .name(let name):
            name.hasPrefix("GPIO") ? Int(name.dropFirst(4)) ?? Self.busNames[name] : Self.busNames[name]
        }
    }

    /// What Debian's kernel calls the first lines of a Raspberry Pi (`gpio-line-names` in its device trees).
    private static let busNames = ["ID_SDA": 0, "ID_SCL": 1, "SDA1": 2, "SCL1": 3, "GPIO_GCLK": 4]

    package var description: String {
        switch line {
        case .offset(let offset): "\(chip) line \(offset)"
        case .name(let name): "\(chip) \(name)"
        }
    }
}

package enum LineError: Fault {
    /// `present` are the labels of the chips that exist.
    case noChip(LineReference, present: [String])
    case noLine(LineReference)
    /// `program` is nil if the search has not found it.
    case busy(LineReference, consumer: String, program: String?)
    case forbidden(LineReference, device: String)
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
