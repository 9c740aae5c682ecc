import Hardware
import Logging

/// Logs once when a device becomes faulty, and once when it works again, even if the loop often tries the device again.
///
/// Also logs the device's remarks.
///
/// A device that does not work causes a warning, not an error, because the tracker continues without it.
struct FaultLog {
    private var open: [String: any Fault] = [:]
    private var hasChanged = false

    /// Compares the device's fault with the fault that was logged last, and logs a change.
    mutating func update(from device: any Device, _ log: Logger) {
        for remark in device.takeRemarks() { log.notice("\(remark)") }
        switch (open[device.name], device.fault) {
        case (nil, nil): return
        case (let former?, let fault?) where former.isSame(as: fault): return
        case (_, let fault?): log.warning("\(fault)")
        case (_?, nil): log.notice("\(device.name): works again.")
        }
        open[device.name] = device.fault
        hasChanged = true
    }

    /// Returns whether a fault began, changed or ended since the last call.
    mutating func takeChange() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }
}
