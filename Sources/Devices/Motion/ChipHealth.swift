import Motion
import Quantities
import Tracking

/// Whether the chip works: counts its errors, and chooses the pauses between the attempts to set up a lost chip.
struct ChipHealth {
    /// The number of errors in a row that the sensor tolerates; after one more error, it treats the chip as lost.
    private static let maximumConsecutiveErrors = 2
    /// If the sensor does not lose the chip for this time, it returns to the shortest pause between its attempts.
    private static let steadyTime = Duration.seconds(30)

    /// Why the chip is lost; nil while it works.
    private(set) var error: ChipSensorError?
    private(set) var errorCount = 0
    private var errorsInRow = 0
    private var wellSince: Instant?
    private var backoff = Backoff.device
    /// Whether the engine knows the chip as working; nil before the first report.
    private var isThere: Bool?

    /// Counts an error that does not count as one of several in a row.
    mutating func countError() { errorCount += 1 }

    /// Counts a failed operation; returns whether the chip is lost.
    ///
    /// If the chip is foreign, has not worked yet, or is already lost, it is lost after the first error.
    mutating func isLost(after error: ChipError) -> Bool {
        errorsInRow += 1
        errorCount += 1
        let isForeign = if case .foreign = error { true } else { false }
        return errorsInRow > Self.maximumConsecutiveErrors || isForeign || isThere != true
    }

    /// Notes that the chip works; returns the report for the engine.
    mutating func recover(at now: Instant) -> [Event] {
        errorsInRow = 0
        let since = wellSince ?? now
        wellSince = since
        if now - since >= Self.steadyTime { backoff.reset() }
        error = nil
        return report(isThere: true)
    }

    /// Notes that the chip is lost; returns the pause before the next attempt, and the report for the engine.
    mutating func lose(_ reason: ChipSensorError) -> (pause: Duration, reports: [Event]) {
        errorsInRow = 0
        wellSince = nil
        error = reason
        return (backoff.next(), report(isThere: false))
    }

    private mutating func report(isThere now: Bool) -> [Event] {
        guard isThere != now else { return [] }
        isThere = now
        return [.motionSensor(isThere: now)]
    }
}

/// Whether the chip must stream: because of the engine's request, or to confirm motion that the chip has detected.
struct StreamDemand {
    /// The time for which the sensor judges samples after the chip has detected motion, and again after each verdict of motion.
    private static let confirmTime = Duration.seconds(8)
    /// The time for which the sensor ignores an earlier request to stream after it has armed the chip for a halt.
    ///
    /// After this time, a halting board is off. A new request ends this time. Motion still makes the sensor stream.
    private static let armedTime = Duration.seconds(300)

    private var isRequested = false
    private var confirmUntil: Instant?
    /// When an earlier request applies again; nil if the chip is not armed for a halt.
    private(set) var armedUntil: Instant?

    var isActive: Bool { isRequested && armedUntil == nil || isConfirming }
    var isConfirming: Bool { confirmUntil != nil }

    mutating func request(_ isStreaming: Bool) { (isRequested, armedUntil) = (isStreaming, nil) }

    mutating func confirm(at now: Instant) { confirmUntil = now + Self.confirmTime }

    mutating func dropConfirmation() { confirmUntil = nil }

    mutating func endConfirmation(at now: Instant) {
        if let end = confirmUntil, now >= end { confirmUntil = nil }
    }

    /// Ignores the present request for a while, because the board is about to halt.
    mutating func suspend(at now: Instant) { armedUntil = now + Self.armedTime }

    mutating func endArming(at now: Instant) {
        if let end = armedUntil, now >= end { armedUntil = nil }
    }
}
