package import Hardware

/// The accelerometer may fail to wake a halted board.
package enum WakeUpError: Fault {
    /// The chip does not answer.
    case absent(model: String)
    /// The chip has detected motion in the last seconds, and the sensor is still judging this motion.
    case motion(model: String)
    /// The registers do not contain the values that the sensor wrote.
    case unset(model: String)
    /// The interrupt line is active although the sensor has just set up the chip.
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
