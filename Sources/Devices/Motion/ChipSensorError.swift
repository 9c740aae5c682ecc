package import Hardware
package import Motion

/// Why the chip does not work, or draws more current than it should.
package enum ChipSensorError: Fault {
    case chip(model: String, ChipError)
    case repeating(model: String)
    case silent(model: String)
    case wakeLine(LineError)
    case wakeLineStuck(LineReference)
    case wakeLineDead(LineReference)

    package var severity: FaultSeverity {
        switch self {
        case .chip, .repeating, .silent: .outOfService
        case .wakeLine, .wakeLineStuck, .wakeLineDead: .degraded
        }
    }

    package var subject: String {
        switch self {
        case .chip(let model, .bus(let error)): "\(model) at \(error.subject)"
        case .chip(let model, .foreign), .repeating(let model), .silent(let model): "accelerometer \(model)"
        case .wakeLine(let error): error.subject
        case .wakeLineStuck(let line), .wakeLineDead(let line): "GPIO \(line)"
        }
    }

    package var cause: String {
        switch self {
        case .chip(_, let error): error.cause
        case .repeating: "the chip repeats the same sample; trackerd sets it up again"
        case .silent: "the chip returns no samples although it was set up to collect them"
        case .wakeLine(let error): "\(error.cause); the chip is polled once a second, which draws more current"
        case .wakeLineDead:
            "the line does not follow the accelerometer's interrupt pin; the chip is polled once a second, which draws more current"
        case .wakeLineStuck: "the line is active although the accelerometer has detected no motion"
        }
    }

    package var remedy: String? {
        switch self {
        case .chip(_, let error): error.remedy
        case .repeating: "If this repeats, replace the accelerometer."
        case .silent: "Check that its supply is steady."
        case .wakeLine(let error): error.remedy
        case .wakeLineDead: "Connect INT1 to this line, or write `interrupt: none` if INT1 is not connected."
        case .wakeLineStuck: "Check the wire, and `activeLow` in the board file."
        }
    }
}

package enum WakeUpError: Fault {
    case absent(model: String)
    /// The chip has detected motion in the last seconds, and the sensor is still judging it.
    case motion(model: String)
    case unset(model: String)
    /// The interrupt line is active although the chip has just been set up.
    case active(model: String)

    package var severity: FaultSeverity { .degraded }

    package var subject: String {
        switch self {
        case .absent(let model), .motion(let model), .unset(let model), .active(let model): "accelerometer \(model)"
        }
    }

    package var cause: String {
        switch self {
        case .absent: "the chip does not answer, so nothing would wake the board"
        case .motion: "the chip detected motion in the last seconds"
        case .unset: "the registers that wake the board do not contain what was written"
        case .active: "the interrupt line is active, so it cannot wake the board"
        }
    }

    package var remedy: String? {
        switch self {
        case .motion: nil
        case .absent, .unset: "Run `sudo -u trackerd trackerd doctor`, and check the wiring."
        case .active:
            "Check the wire and `activeLow` in the board file. Then stop the daemon, and test the wire with `sudo -u trackerd trackerd doctor --watch interrupt`."
        }
    }
}
