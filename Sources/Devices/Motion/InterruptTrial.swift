package import Hardware
package import Motion
package import Quantities
package import Tracking

/// Arms the chip, and reports each motion that wakes the program through the chip's line.
package final class InterruptTrial: EventSource {
    package var name: String { "interrupt" }
    package private(set) var fault: (any Fault)?

    private let chip: any Accelerometer
    private let bus: any RegisterBus
    private let threshold: Acceleration
    private var wake: WakeLine
    private var isArmed = false
    private var changes = 0

    /// Does not use chip and line yet; the first `advance` does.
    package init(
        _ chip: any Accelerometer, on bus: any RegisterBus, wakingBy line: LineReference, of lines: any LineProvider,
        threshold: Acceleration
    ) {
        self.chip = chip
        self.bus = bus
        self.threshold = threshold
        wake = WakeLine(line, of: lines)
    }

    package var wait: Wait {
        if fault != nil { return Wait() }
        return isArmed ? Wait(wake.descriptor.map(Wait.Interest.read)) : Wait(deadline: .boot)
    }

    package func advance(at now: Instant) -> [Event] {
        guard fault == nil else { return [] }
        do throws(ChipError) {
            if !isArmed {
                try arm(at: now)
                return []
            }
            guard wake.hasRisen(at: now) else { return [] }
            fault = wake.error
            // A floating or shorted line changes too, so the chip must confirm the motion.
            guard fault == nil, try chip.takeWake(on: bus) else { return [] }
            changes += 1
            return [.motion(MotionVerdict(isMoving: true))]
        } catch {
            fault = ChipSensorError.chip(model: chip.model, error)
            return []
        }
    }

    private func arm(at now: Instant) throws(ChipError) {
        wake.take(at: now)
        fault = wake.error
        guard fault == nil else { return }
        try chip.identify(on: bus)
        try chip.watch(above: threshold, on: bus)
        if wake.isActive { fault = WakeUpError.active(model: chip.model) }
        isArmed = true
    }

    /// Why the line has not woken the program; nil if it has, or if the test ended with `fault`.
    package func conclusion() -> (any Fault)? {
        guard fault == nil, changes == 0 else { return nil }
        do throws(ChipError) {
            return try chip.takeWake(on: bus) ? WireError.dead(model: chip.model) : WireError.still(model: chip.model)
        } catch {
            return ChipSensorError.chip(model: chip.model, error)
        }
    }
}

package enum WireError: Fault {
    case dead(model: String)
    case still(model: String)

    package var subject: String {
        switch self {
        case .dead(let model), .still(let model): "accelerometer \(model)"
        }
    }

    package var cause: String {
        switch self {
        case .dead: "the chip detected motion, but its interrupt line did not change"
        case .still: "the chip detected no motion"
        }
    }

    package var remedy: String? {
        switch self {
        case .dead: "Check the wire from INT1 to the line that the board file names, and `activeLow`."
        case .still: "Shake the vehicle harder, or lower `accelerometer.wakeThreshold`."
        }
    }
}
