/// Why a line cannot be had, or cannot be used any more.
package enum LineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No chip has that label; these are there.
    case noChip(LineReference, present: [String])
    /// The chip has no such line.
    case noLine(LineReference)
    /// Somebody else holds it: what that calls itself, and the program if it could be found.
    case busy(LineReference, consumer: String, program: String?)
    /// The device file of the chip may not be opened.
    case forbidden(LineReference, device: String)
    /// The line raises no interrupts, so that its changes cannot be waited for.
    case noEdges(LineReference)
    /// The kernel refused something else.
    case refused(LineReference, operation: String, cause: String)

    /// What was attempted, what happened, and what the user can do.
    package var description: String {
        switch self {
        case .noChip(let line, let present) where present.isEmpty:
            "GPIO \(line): there is no GPIO chip at all. Check that /dev/gpiochip0 exists, or take the line out of the board file."
        case .noChip(let line, let present):
            "GPIO \(line): no chip has that label; there are \(present.joined(separator: ", ")). Correct the board file."
        case .noLine(let line):
            "GPIO \(line): the chip has no such line. See what `gpioinfo` lists, and correct the board file."
        case .busy(let line, let consumer, let program):
            "GPIO \(line): is held by \(Self.holder(consumer, program)). End that, or choose another line in the board file."
        case .forbidden(let line, let device):
            "GPIO \(line): no permission for \(device). Install trackerd's udev rules, or add its user to the group `gpio`."
        case .noEdges(let line):
            "GPIO \(line): raises no interrupts, so that its changes would be missed. Choose another line."
        case .refused(let line, let operation, let cause):
            "GPIO \(line): \(operation) is refused by the kernel (\(cause)). See what `dmesg` says about the chip."
        }
    }

    private static func holder(_ consumer: String, _ program: String?) -> String {
        let name = consumer.isEmpty ? "somebody who gives no name" : "`\(consumer)`"
        return program.map { "\(name), the program \($0)" } ?? name
    }
}
