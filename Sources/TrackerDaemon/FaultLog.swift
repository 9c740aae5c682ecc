import Hardware
import Logging

/// Logs when a device becomes faulty, and when it works again: once each, however often the device is tried.
///
/// A device that is out of service is a warning: the tracker goes on with what it has.
struct FaultLog {
    private var open: [String: any Fault] = [:]

    /// Compares the device's fault with the one logged last, and logs a change.
    mutating func update(from device: any Device, _ log: Logger) {
        switch (open[device.name], device.fault) {
        case (nil, nil): return
        case (let former?, let fault?) where former.isSame(as: fault): return
        case (_, let fault?): log.warning("\(fault)")
        case (_?, nil): log.notice("\(device.name): works again.")
        }
        open[device.name] = device.fault
    }
}
