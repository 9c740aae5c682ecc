package import Quantities
package import Tracking

package protocol Device: AnyObject {
    var name: String { get }

    /// Nil while the device works without limits.
    var fault: (any Fault)? { get }

    /// Returns changes for the log that are no faults, each once.
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

    /// A stopped receiver does not wake the program; a connection without traffic may stay.
    func stop(at now: Instant)

    /// The measures that may bring a lost receiver back, besides switching it off and on; the gentlest comes first.
    var recoveries: [ReceiverRecovery] { get }

    func recover(_ recovery: ReceiverRecovery, at now: Instant)
}

extension Receiver {
    package var recoveries: [ReceiverRecovery] { [] }

    package func recover(_ recovery: ReceiverRecovery, at now: Instant) {}
}

/// Reports `.motion` and `.motionSensor(isThere:)`.
package protocol MotionSensor: EventSource {
    /// The number of operations that have failed since the program started.
    var errorCount: Int { get }

    /// If `isStreaming`, the sensor reports verdicts continuously; otherwise none until it has detected motion itself.
    func stream(_ isStreaming: Bool, at now: Instant)

    /// Sets up the sensor to wake a halted board, and reads the settings back; nil if the sensor can wake the board.
    /// For some minutes after that, the sensor ignores an earlier request to stream: it streams only once it has
    /// detected motion, or after another call of `stream`.
    func armWakeUp(at now: Instant) -> (any Fault)?
}

/// Reports `.beacon` and `.beaconScanner(isListening:)`.
package protocol BeaconScanner: EventSource {
    func scan(_ duty: ScanDuty, at now: Instant)
}

package protocol IndicatorLight: Device {
    func show(isLit: Bool)
}

/// Saves power, for example by the processor's governor and the board's lights.
package protocol PowerSaver: Device {
    func rest(_ isParked: Bool)
}

/// Reports only that the system refused the halt.
package protocol Halter: EventSource {
    /// Returns at once. If `wakeAfter` is not nil, first sets the clock to wake the board after this time. Everything
    /// that must survive is already on disk.
    func halt(wakeAfter: Duration?, at now: Instant)
}
