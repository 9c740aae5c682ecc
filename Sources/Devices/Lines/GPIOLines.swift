import CGpiod
import Glibc
package import Hardware
import Quantities

package final class GPIOLines: LineProvider {
    package init() {}

    package func output(_ line: LineReference, _ level: OutputLevel) throws(LineError) -> any OutputLine {
        try GPIOLine(line) { request, failure in cgpiod_take_output(&request, drive(level), &failure) }
    }

    package func input(_ line: LineReference) throws(LineError) -> any InputLine {
        try GPIOLine(line) { request, failure in cgpiod_take_input(&request, &failure) }
    }
}

private final class GPIOLine: OutputLine, InputLine {
    private let reference: LineReference
    private let line: OpaquePointer

    init(
        _ reference: LineReference, take: (inout cgpiod_request, inout cgpiod_failure) -> OpaquePointer?
    ) throws(LineError) {
        var failure = cgpiod_failure()
        guard let line = withRequest(reference, { take(&$0, &failure) }) else { throw LineError(reference, failure) }
        self.reference = reference
        self.line = line
    }

    deinit { cgpiod_release(line) }

    var descriptor: Int32 { cgpiod_fd(line) }

    func set(_ level: OutputLevel) throws(LineError) {
        guard cgpiod_set(line, drive(level)) else { throw refusal("to set it") }
    }

    func isActive() throws(LineError) -> Bool {
        let level = cgpiod_level(line)
        guard level >= 0 else { throw refusal("to read it") }
        return level == 1
    }

    func edges() throws(LineError) -> [LineEdge] {
        var edges: [LineEdge] = []
        var edge = cgpiod_edge()
        // A line that never stops changing must not block the loop; the next call reads the remaining edges.
        while edges.count < Self.edgesATurn {
            switch cgpiod_read_edge(line, &edge) {
            case 0: return edges
            case 1: edges.append(LineEdge(isActive: edge.is_active, at: Instant(nanoseconds: edge.since_boot_ns)))
            default: throw refusal("to read its edges")
            }
        }
        return edges
    }

    /// The kernel buffers 16 edges of a line, and up to 16 newer ones may come while these are read.
    private static let edgesATurn = 32

    private func refusal(_ operation: String) -> LineError {
        .refused(reference, operation: operation, cause: String(cString: strerror(errno)))
    }
}

/// The C values are valid only during the call.
func withRequest<Result>(_ reference: LineReference, _ body: (inout cgpiod_request) -> Result) -> Result {
    reference.chip.withCString { label in
        var request = cgpiod_request(
            label: label, name: nil, offset: 0, is_active_low: reference.isActiveLow, bias: bias(reference.bias))
        switch reference.line {
        case .offset(let offset):
            // The largest number, which no chip has, stands for an invalid one.
            request.offset = UInt32(exactly: offset) ?? .max
            return body(&request)
        case .name(let name):
            return name.withCString { name in
                request.name = name
                return body(&request)
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
    /// If the line is busy, searches for the program that uses it.
    fileprivate init(_ reference: LineReference, _ failure: cgpiod_failure) {
        let path = String(inArray: failure.path)
        switch failure.problem {
        case CGPIOD_NO_CHIP:
            self = .noChip(reference, present: String(inArray: failure.chips).split(separator: "\n").map(String.init))
        case CGPIOD_NO_LINE: self = .noLine(reference)
        case CGPIOD_BUSY:
            let (consumer, program) = failure.holder
            self = .busy(reference, consumer: consumer, program: program)
        case CGPIOD_FORBIDDEN: self = .forbidden(reference, device: path)
        case CGPIOD_NO_EDGES: self = .noEdges(reference)
        default:
            self = .refused(reference, operation: "to reserve it", cause: String(cString: strerror(failure.code)))
        }
    }
}

extension cgpiod_failure {
    /// Valid only for a busy line; `program` is nil if no program is found.
    var holder: (consumer: String, program: String?) {
        let consumer = String(inArray: consumer)
        let chip = String(String(inArray: path).dropFirst("/dev/".count))
        return (consumer, LineHolder.find(chip: chip, offset: Int(offset), consumer: consumer))
    }
}

extension String {
    init(inArray characters: some Any) {
        self = withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

package enum LineHolder {
    /// Returns the name and the process number of the program that uses a line. Nil if none is found: most users cannot see
    /// the descriptors of other users' processes. The kernel reports the line only for descriptors of its second GPIO
    /// interface, since version 6.1; for the first, the program's name is compared with that of the line's consumer.
    package static func find(chip: String, offset: Int, consumer: String, in root: String = "/proc") -> String? {
        for process in Pseudofile.names(in: root).compactMap(Int.init).sorted() {
            let folder = "\(root)/\(process)"
            let name = Pseudofile.text(of: "\(folder)/comm")
            let program = "\(name) (process \(process))"
            for descriptor in Pseudofile.names(in: "\(folder)/fd") {
                switch Pseudofile.target(of: "\(folder)/fd/\(descriptor)") {
                case "anon_inode:gpio-line":
                    let info = Pseudofile.text(of: "\(folder)/fdinfo/\(descriptor)")
                    if names(info, chip: chip, offset: offset) { return program }
                case "anon_inode:gpio-linehandle", "anon_inode:gpio-event":
                    if name == consumer { return program }
                default: break
                }
            }
        }
        return nil
    }

    private static func names(_ info: String, chip: String, offset: Int) -> Bool {
        let words = info.split(separator: "\n").map { $0.split { $0 == "\t" || $0 == " " } }
        return words.contains(["gpio-chip:", chip[...]]) && words.contains(["gpio-line:", "\(offset)"[...]])
    }
}
