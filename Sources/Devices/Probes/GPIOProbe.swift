import CGpiod
package import Hardware

/// Requests no line.
package struct GPIOProbe: LineProbe {
    /// The largest chip of a Raspberry Pi has 58 names of up to 16 letters.
    private static let room = 8192

    package init() {}

    package func line(_ line: LineReference) -> LineFacts {
        var failure = cgpiod_failure()
        var names = [CChar](repeating: 0, count: Self.room)
        let isFree = withRequest(line) { request in cgpiod_examine(&request, &failure, &names, names.count) }
        if isFree { return .free }
        switch failure.problem {
        case CGPIOD_NO_CHIP: return .noChip(labels: String(inArray: failure.chips).lines)
        case CGPIOD_FORBIDDEN: return .forbidden
        case CGPIOD_BUSY: return held(failure)
        default:
            let bytes = names.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            return .noLine(names: String(decoding: bytes, as: UTF8.self).lines)
        }
    }

    package func isActive(_ input: LineReference) -> Bool? { try? GPIOLines().input(input).isActive() }

    private func held(_ failure: cgpiod_failure) -> LineFacts {
        let chip = String(String(inArray: failure.path).dropFirst("/dev/".count))
        let consumer = String(inArray: failure.consumer)
        let holder = LineHolder.find(chip: chip, offset: Int(failure.offset), consumer: consumer)
        return .held(by: consumer, program: holder?.description)
    }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}
