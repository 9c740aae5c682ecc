package import Quantities
package import Tracking

/// A part of the hardware.
package protocol Device: AnyObject {
    /// The device's name in log lines.
    var name: String { get }

    /// Why the device does not work, or works with limits; nil while it works.
    var fault: (any Fault)? { get }

    /// Switches the device off and releases it, at the end of the program.
    ///
    /// A device that has to wait for an answer waits in real time, at most until `deadline`; if `deadline` has passed, the device
    /// does not wait. The daemon calls no other function afterwards. A `deinit` only frees memory and closes descriptors.
    func close(at now: Instant, by deadline: Instant)
}

extension Device {
    /// Returns nil, for a device that cannot fail.
    package var fault: (any Fault)? { nil }

    /// Has no effect, for a device that needs no switching off.
    package func close(at now: Instant, by deadline: Instant) {}
}

/// A GPS receiver and the program that reads it; it reports `.fix` and `.receiver(isThere:)`.
package protocol Receiver: EventSource {
    /// Starts delivering fixes; idempotent.
    func start(at now: Instant)

    /// Stops delivering fixes and releases the device, so that it does not wake the program; a connection without traffic may stay
    /// open.
    func stop(at now: Instant)

    /// The measures that may recover a lost receiver, in addition to switching it off and on; gentler measures first.
    var recoveries: [ReceiverRecovery] { get }

    /// Tries one of `recoveries`.
    func recover(_ recovery: ReceiverRecovery, at now: Instant)
}

extension Receiver {
    /// No recoveries; a receiver may define its own.
    package var recoveries: [ReceiverRecovery] { [] }

    /// Has no effect; a receiver may define its own recovery.
    package func recover(_ recovery: ReceiverRecovery, at now: Instant) {}
}

/// An accelerometer; it reports `.motion` and `.motionSensor(isThere:)`.
package protocol MotionSensor: EventSource {
    /// The number of transfers that have failed since the program started.
    var errorCount: Int { get }

    /// Streams verdicts from now on, or only reports when motion begins.
    func stream(_ isStreaming: Bool, at now: Instant)

    /// Sets the sensor up to wake a halted board, and reads the settings back; returns why the sensor may fail to wake the board,
    /// or nil.
    ///
    /// The sensor then does not stream for some minutes, even if streaming is wanted, unless the sensor detects motion.
    func armWakeUp(at now: Instant) -> (any Fault)?
}

/// A Bluetooth adapter that scans; it reports `.beacon` and `.beaconScanner(isListening:)`.
package protocol BeaconScanner: EventSource {
    /// Scans with this duty from now on; idempotent.
    func scan(_ duty: ScanDuty, at now: Instant)
}

/// The light that shows whether the vehicle is tracked.
package protocol IndicatorLight: Device {
    /// Switches the light on or off.
    func show(isLit: Bool)
}

/// Reduces the board's current while the vehicle is parked, by the processor's governor and the board's lights.
package protocol PowerSaver: Device {
    /// Reduces the current from now on, or restores the former settings.
    func rest(_ isParked: Bool)
}

/// Halts the board; it reports no events, but detects when the system refuses the halt.
package protocol Halter: EventSource {
    /// Starts the halt and returns at once; if `wakeAfter` is not nil, the halter first sets the clock to wake the board after that
    /// time.
    ///
    /// Everything that must survive is on disk before the daemon calls this function.
    func halt(wakeAfter: Duration?, at now: Instant)
}
