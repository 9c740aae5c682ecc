package import Quantities
package import Tracking

package protocol Device: AnyObject {
    var name: String { get }

    /// Nil while it works; it may also work with limits.
    var fault: (any Fault)? { get }

    /// Changes that are no faults, each once.
    func takeRemarks() -> [String]

    /// Switches the device off and releases it at the end of the program, and waits for an answer in real time until
    /// `deadline` at most. No other call follows; a `deinit` only frees memory and descriptors.
    func close(at now: Instant, by deadline: Instant)
}

extension Device {
    package var fault: (any Fault)? { nil }

    package func takeRemarks() -> [String] { [] }

    package func close(at now: Instant, by deadline: Instant) {}
}

/// Reports `.fix`, `.receiver(isThere:)` and `.receiverLines(canBeSet:)`.
package protocol Receiver: EventSource {
    func start(at now: Instant)

    /// The receiver then does not wake the program; a connection without traffic may stay.
    func stop(at now: Instant)

    /// The measures besides switching it off and on that may bring a lost receiver back, the gentlest first.
    var recoveries: [ReceiverRecovery] { get }

    func recover(_ recovery: ReceiverRecovery, at now: Instant)
}

extension Receiver {
    package var recoveries: [ReceiverRecovery] { [] }

    package func recover(_ recovery: ReceiverRecovery, at now: Instant) {}
}

/// Reports `.motion` and `.motionSensor(isThere:)`.
package protocol MotionSensor: EventSource {
    /// Operations that have failed since the program started.
    var errorCount: Int { get }

    /// Streams verdicts, or reports only the beginning of motion.
    func stream(_ isStreaming: Bool, at now: Instant)

    /// Sets up the sensor to wake a halted board, and reads the settings back; nil if it can wake it. For some minutes
    /// after that it streams only once it has detected motion, even if streaming was requested before, until `stream`
    /// is called again.
    func armWakeUp(at now: Instant) -> (any Fault)?
}

/// Reports `.beacon` and `.beaconScanner(isListening:)`.
package protocol BeaconScanner: EventSource {
    func scan(_ duty: ScanDuty, at now: Instant)
}

package protocol IndicatorLight: Device {
    func show(isLit: Bool)
}

/// For example by the processor's governor and the board's lights.
package protocol PowerSaver: Device {
    func rest(_ isParked: Bool)
}

/// Reports only that the system refused the halt.
package protocol Halter: EventSource {
    /// Returns at once. First sets the clock to wake the board after `wakeAfter`, if that is not nil. All that must
    /// survive is on disk by then.
    func halt(wakeAfter: Duration?, at now: Instant)
}
