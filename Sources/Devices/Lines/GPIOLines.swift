import CGpiod
import Glibc
package import Hardware
import Quantities

/// The lines of this computer, by libgpiod.
package final class GPIOLines: LineProvider {
    /// Makes a provider; there is no reason to have two.
    package init() {}

    /// Takes a line as output.
    package func output(_ line: LineReference, _ level: OutputLevel) throws(LineError) -> any OutputLine {
        try GPIOLine(line) { wish, failure in cgpiod_take_output(&wish, drive(level), &failure) }
    }

    /// Takes a line as input.
    package func input(_ line: LineReference) throws(LineError) -> any InputLine {
        try GPIOLine(line) { wish, failure in cgpiod_take_input(&wish, &failure) }
    }
}

/// A line that is held; given back to the kernel when it is let go of.
private final class GPIOLine: OutputLine, InputLine {
    private let reference: LineReference
    private let line: OpaquePointer

    init(
        _ reference: LineReference, take: (inout cgpiod_wish, inout cgpiod_failure) -> OpaquePointer?
    ) throws(LineError) {
        var failure = cgpiod_failure()
        guard let line = withWish(reference, { take(&$0, &failure) }) else { throw LineError(reference, failure) }
        self.reference = reference
        self.line = line
    }

    deinit { cgpiod_release(line) }

    var descriptor: Int32 { cgpiod_fd(line) }

    func set(_ level: OutputLevel) throws(LineError) {
        guard cgpiod_set(line, drive(level)) else { throw refusal("setting it") }
    }

    func isActive() throws(LineError) -> Bool {
        let level = cgpiod_level(line)
        guard level >= 0 else { throw refusal("reading it") }
        return level == 1
    }

    func edges() throws(LineError) -> [LineEdge] {
        var edges: [LineEdge] = []
        var edge = cgpiod_edge()
        // A line that swings without end must not keep the loop: the rest is there in the next turn.
        while edges.count < Self.edgesATurn {
            switch cgpiod_read_edge(line, &edge) {
            case 0: return edges
            case 1: edges.append(LineEdge(isActive: edge.is_active, at: Instant(nanoseconds: edge.since_boot_ns)))
            default: throw refusal("reading its edges")
            }
        }
        return edges
    }

    /// The kernel keeps 16 edges of a line: these are all that were there when the reading began, and as many again.
    private static let edgesATurn = 32

    private func refusal(_ operation: String) -> LineError {
        .refused(reference, operation: operation, cause: String(cString: strerror(errno)))
    }
}

/// Lends the wish in C's words for the time of a call.
func withWish<Result>(_ reference: LineReference, _ body: (inout cgpiod_wish) -> Result) -> Result {
    reference.chip.withCString { label in
        var wish = cgpiod_wish(
            label: label, name: nil, offset: 0, is_active_low: reference.isActiveLow, bias: bias(reference.bias))
        switch reference.line {
        case .offset(let offset):
            // No chip has lines of negative numbers; nor one of the largest.
            wish.offset = UInt32(exactly: offset) ?? .max
            return body(&wish)
        case .name(let name):
            return name.withCString { name in
                wish.name = name
                return body(&wish)
            }
        }
    }
}

private func drive(_ level: OutputLevel) -> cgpiod_drive {
    switch level {
    case .active: CGPIOD_ACTIVE
    case .inactive: CGPIOD_INACTIVE
    case .floating: CGPIOD_FLOATING
    }
}

private func bias(_ bias: LineReference.Bias) -> cgpiod_bias {
    switch bias {
    case .none: CGPIOD_BIAS_AS_IS
    case .pullUp: CGPIOD_BIAS_PULL_UP
    case .pullDown: CGPIOD_BIAS_PULL_DOWN
    }
}

extension LineError {
    /// Reads the shim's verdict; looks for the program that holds a busy line.
    fileprivate init(_ reference: LineReference, _ failure: cgpiod_failure) {
        let path = String(inArray: failure.path)
        switch failure.problem {
        case CGPIOD_NO_CHIP:
            self = .noChip(reference, present: String(inArray: failure.chips).split(separator: "\n").map(String.init))
        case CGPIOD_NO_LINE: self = .noLine(reference)
        case CGPIOD_BUSY:
            let consumer = String(inArray: failure.consumer)
            let chip = String(path.dropFirst("/dev/".count))
            let holder = LineHolder.find(chip: chip, offset: Int(failure.offset), consumer: consumer)
            self = .busy(reference, consumer: consumer, program: holder?.description)
        case CGPIOD_FORBIDDEN: self = .forbidden(reference, device: path)
        case CGPIOD_NO_EDGES: self = .noEdges(reference)
        default:
            self = .refused(reference, operation: "taking it", cause: String(cString: strerror(failure.code)))
        }
    }
}

extension String {
    /// The text in a C array of characters, which ends with a zero.
    init(inArray characters: some Any) {
        self = withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
