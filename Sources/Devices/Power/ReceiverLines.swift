import Hardware

final class ReceiverLines {
    private let wiring: ReceiverPowerWiring
    private let lines: any LineProvider
    private var rail: (any OutputLine)?
    /// Nil while the line belongs to the serial port; an input while it must not drive the receiver.
    private var transmit: (any OutputLine)?
    private var reset: (any OutputLine)?

    init(_ wiring: ReceiverPowerWiring, on lines: any LineProvider) {
        self.wiring = wiring
        self.lines = lines
    }

    /// Sets the rail inactive and makes the other lines inputs, then releases all; errors are ignored.
    func close() {
        try? reset?.set(.floating)
        try? setTransmit(isOn: false)
        try? rail?.set(.inactive)
        reset = nil
        transmit = nil
        rail = nil
    }

    func setRail(isOn: Bool) throws(LineError) {
        guard case .rail(let reference) = wiring.kind else { return }
        try lines.set(&rail, reference, isOn ? .active : .inactive)
    }

    /// Releases the line to the serial port, or makes it an input.
    func setTransmit(isOn: Bool) throws(LineError) {
        guard let reference = wiring.transmit else { return }
        if isOn { transmit = nil } else { try lines.set(&transmit, reference, .floating) }
    }

    /// Never call this for a receiver without supply.
    func setReset(isActive: Bool) throws(LineError) {
        guard let reference = wiring.reset else { return }
        try lines.set(&reset, reference, isActive ? .active : .floating)
    }
}

extension LineProvider {
    /// Requests the line first if necessary, and also again after a failure, because an unplugged chip may return.
    func set(_ line: inout (any OutputLine)?, _ reference: LineReference, _ level: OutputLevel) throws(LineError) {
        do throws(LineError) {
            if let line { try line.set(level) } else { line = try output(reference, level) }
        } catch {
            line = nil
            throw error
        }
    }
}
