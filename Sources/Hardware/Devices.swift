package import Quantities
package import Tracking

/// A device of the tracker.
package protocol Device: AnyObject {
    /// The device's name in log lines.
    var name: String { get }

    /// Why the device does not work, or works with limits; nil while it works.
    var fault: (any Fault)? { get }

    /// Returns sentences for the log about changes that are no faults, each sentence only once.
    func takeRemarks() -> [String]

    /// Switches the device off and releases it at the end of the program.
    ///
    /// If a device must wait for an answer, it waits in real time, at most until `deadline`; if `deadline` has passed, it does not
    /// wait. After this call the daemon calls no other function of the device. A `deinit` only frees memory and closes descriptors.
    func close(at now: Instant, by deadline: Instant)
}

extension Device {
    /// Returns nil; a device that can fail defines its own property.
    package var fault: (any Fault)? { nil }

    /// Returns no sentences, as most devices do.
    package func takeRemarks() -> [String] { [] }

    /// Has no effect; a device that must be switched off defines its own function.
    package func close(at now: Instant, by deadline: Instant) {}
}

/// A GPS receiver, with the program that reads it; it reports `.fix`, `.receiver(isThere:)` and
/// `.receiverLines(canBeSet:)`.
package protocol Receiver: EventSource {
    /// Starts to deliver fixes; a further call has no effect.
    func start(at now: Instant)

    /// Stops delivering fixes and releases the receiver, which then does not wake the program.
    ///
    /// A connection without traffic may remain open.
    func stop(at now: Instant)

    /// The measures that may bring a lost receiver back, besides switching it off and on; the gentlest measure comes first.
    var recoveries: [ReceiverRecovery] { get }

    /// Carries out one of the measures in `recoveries`.
    func recover(_ recovery: ReceiverRecovery, at now: Instant)
}

extension Receiver {
    /// No measures; a receiver may define its own.
    package var recoveries: [ReceiverRecovery] { [] }

    /// Has no effect; a receiver may define its own measures.
    package func recover(_ recovery: ReceiverRecovery, at now: Instant) {}
}

/// An accelerometer; it reports `.motion` and `.motionSensor(isThere:)`.
package protocol MotionSensor: EventSource {
    /// The number of operations on the sensor that have failed since the program started.
    var errorCount: Int { get }

    /// Delivers verdicts continuously if `isStreaming` is true; otherwise reports only the beginning of motion.
    func stream(_ isStreaming: Bool, at now: Instant)

    /// Sets up the sensor to wake a halted board, and reads the settings back.
    ///
    /// Returns why the sensor may fail to wake the board; nil if it can wake the board. For some minutes after a successful
    /// call, the sensor streams only after it has detected motion, even if the daemon requested streaming before. A new call
    /// of `stream` ends this time.
    func armWakeUp(at now: Instant) -> (any Fault)?
}

/// A Bluetooth adapter that can scan; it reports `.beacon` and `.beaconScanner(isListening:)`.
package protocol BeaconScanner: EventSource {
    /// Scans with this duty cycle from now on; a further call with the same duty cycle has no effect.
    func scan(_ duty: ScanDuty, at now: Instant)
}

/// The light that shows whether trackerd tracks the vehicle.
package protocol IndicatorLight: Device {
    /// Switches the light on or off.
    func show(isLit: Bool)
}

/// Reduces the board's current while the vehicle is parked, for example through the processor's governor and the board's lights.
package protocol PowerSaver: Device {
    /// Reduces the current if the vehicle is parked; otherwise restores the former settings.
    func rest(_ isParked: Bool)
}

/// Halts the board; the only event that it reports is that the system refused the halt.
package protocol Halter: EventSource {
    /// Starts the halt and returns at once.
    ///
    /// If `wakeAfter` is not nil, the halter first sets the clock to wake the board after this time. Before the daemon calls this
    /// function, all data that must survive is on disk.
    func halt(wakeAfter: Duration?, at now: Instant)
}
