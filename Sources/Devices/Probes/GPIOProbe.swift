import CGpiod
package import Hardware
import Motion
import Quantities

/// Only `isActive` requests a line.
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
        case CGPIOD_BUSY:
            let (consumer, program) = failure.holder
            return .held(by: consumer, program: program)
        default:
            let bytes = names.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            return .noLine(names: String(decoding: bytes, as: UTF8.self).lines)
        }
    }

    package func isActive(_ input: LineReference) -> Bool? { try? GPIOLines().input(input).isActive() }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}

/// Tests the interrupt wire of a chip that no program uses, and leaves the chip armed.
package struct InterruptProbe: WireProbe {
    private let lines: any LineProvider

    package init(_ lines: any LineProvider = GPIOLines()) { self.lines = lines }

    package func wire(of wiring: AccelerometerWiring) -> WireFacts? {
        guard let line = wiring.interrupt, let chip = Accelerometers.named(wiring.model),
            let address = wiring.address ?? chip.addresses.first
        else { return nil }
        let bus = I2CBus(path: wiring.bus, address: address)
        var wake = WakeLine(line, of: lines)
        wake.take(at: .boot)
        guard wake.error == nil else { return nil }
        do throws(ChipError) {
            try chip.identify(on: bus)
            try chip.stream(on: bus)
            try wake.test(chip, on: bus, at: .boot)
            try chip.watch(above: wiring.wakeThreshold, on: bus)
        } catch {
            return nil
        }
        return wake.error.map { .faulty($0.description) } ?? .works
    }
}
