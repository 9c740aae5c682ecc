import Hardware

/// The lines of a receiver: for its supply, for its reset, and from this computer to its input.
final class ReceiverLines {
    private let wiring: ReceiverPowerWiring
    private let lines: any LineProvider
    private var rail: (any OutputLine)?
    /// This computer's line to the receiver; nil while the line belongs to the serial port.
    ///
    /// The line is an input while it must not drive the receiver.
    private var transmit: (any OutputLine)?
    private var reset: (any OutputLine)?

    init(_ wiring: ReceiverPowerWiring, on lines: any LineProvider) {
        self.wiring = wiring
        self.lines = lines
    }

    /// Switches the supply off, and releases all lines, which then drive nothing; ignores errors.
    func close() {
        try? reset?.set(.floating)
        try? setTransmit(isOn: false)
        try? rail?.set(.inactive)
        reset = nil
        transmit = nil
        rail = nil
    }

    /// Switches the supply.
    func setRail(isOn: Bool) throws(LineError) {
        guard case .rail(let reference) = wiring.kind else { return }
        try Self.set(&rail, reference, isOn ? .active : .inactive, lines)
    }

    /// Releases this computer's line to the serial port, or makes the line an input.
    func setTransmit(isOn: Bool) throws(LineError) {
        guard let reference = wiring.transmit else { return }
        if isOn { transmit = nil } else { try Self.set(&transmit, reference, .floating, lines) }
    }

    /// Activates the receiver's reset, or makes the reset line an input; do not activate the reset of a receiver
    /// without supply.
    func setReset(isActive: Bool) throws(LineError) {
        guard let reference = wiring.reset else { return }
        try Self.set(&reset, reference, isActive ? .active : .floating, lines)
    }

    /// Sets a line, and requests the line first if necessary; after a failure, the next call requests the line again.
    private static func set(
        _ line: inout (any OutputLine)?, _ reference: LineReference, _ level: OutputLevel, _ lines: any LineProvider
    ) throws(LineError) {
        do throws(LineError) {
            if let line { try line.set(level) } else { line = try lines.output(reference, level) }
        } catch {
            line = nil
            throw error
        }
    }
}
