package import Hardware
import Motion
import Quantities

/// For a chip that no program uses; leaves it armed.
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
