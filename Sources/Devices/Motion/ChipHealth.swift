import Motion
import Quantities
import Tracking

struct ChipHealth {
    /// After more errors in a row than this, the chip is lost.
    private static let maximumConsecutiveErrors = 2
    /// After this time without a loss, the pauses begin again with the shortest.
    private static let steadyTime = Duration.seconds(30)

    /// Nil while the chip works.
    private(set) var error: ChipSensorError?
    private(set) var errorCount = 0
    private var errorsInRow = 0
    private var wellSince: Instant?
    private var backoff = Backoff.device
    /// Whether the engine knows the chip as working; nil before the first report.
    private var isThere: Bool?

    /// Counts an error without effect on `isLost`.
    mutating func countError() { errorCount += 1 }

    /// Counts the error. One is enough if the chip is foreign, has not worked yet, or is already lost.
    mutating func isLost(after error: ChipError) -> Bool {
        errorsInRow += 1
        errorCount += 1
        let isForeign = if case .foreign = error { true } else { false }
        return errorsInRow > Self.maximumConsecutiveErrors || isForeign || isThere != true
    }

    mutating func recover(at now: Instant) -> [Event] {
        errorsInRow = 0
        let since = wellSince ?? now
        wellSince = since
        if now - since >= Self.steadyTime { backoff.reset() }
        error = nil
        return report(isThere: true)
    }

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
    /// Samples are judged without a request for this time after the chip has detected motion, and each verdict of
    /// motion in that time extends it.
    private static let confirmTime = Duration.seconds(8)
    /// After the chip was armed for a halt, an earlier request to stream has no effect for this time, which is longer
    /// than a halt takes. A new request ends this time early, and motion still makes the chip stream.
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

    mutating func suspend(at now: Instant) { armedUntil = now + Self.armedTime }

    mutating func endArming(at now: Instant) {
        if let end = armedUntil, now >= end { armedUntil = nil }
    }
}
