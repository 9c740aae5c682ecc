import CGpiod
package import Hardware

/// Looks at the GPIO lines of this computer without taking any.
package struct GPIOProbe: LineProbe {
    /// Room for the names of the lines of a chip: the largest on a Raspberry Pi has 58, of up to 16 letters.
    private static let room = 8192

    /// Makes a probe.
    package init() {}

    package func line(_ line: LineReference) -> LineFacts {
        var failure = cgpiod_failure()
        var names = [CChar](repeating: 0, count: Self.room)
        let isFree = withWish(line) { wish in cgpiod_examine(&wish, &failure, &names, names.count) }
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
