package import Hardware

package enum WakeUpError: Fault {
    case absent(model: String)
    /// In the last seconds, and the sensor is still judging it.
    case motion(model: String)
    case unset(model: String)
    /// Although the chip has just been set up.
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
