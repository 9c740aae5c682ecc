package import Hardware
package import Motion
package import Quantities
package import Tracking

/// An accelerometer chip on a bus: at rest the chip watches by itself and nothing is read; when it detects motion, or the
/// vehicle moves, its samples are read in batches and judged.
///
/// A chip that does not answer, repeats itself or returns no samples is set up again, with growing pauses.
package final class ChipSensor: MotionSensor {
    /// How often the chip is polled at rest, without an interrupt line.
    package static let restPoll = Duration.seconds(1)
    /// How often the chip is set up again at rest: a chip that lost its supply would never wake the program.
    package static let rearmInterval = Duration.seconds(900)
    /// How long samples are judged after the chip detected motion, and again after each verdict of motion.
    package static let confirmTime = Duration.seconds(8)
    /// The interval of batches, which wakes the program seldom and does not fill the FIFO of any chip.
    package static let batchTime = Duration.milliseconds(800)
    /// A chip whose samples have not changed for this time may be stuck, and is set up again.
    package static let stuckTimeout = Duration.seconds(10)
    /// The number of stuck timeouts tolerated; noise changes the last digit of a working chip from time to time.
    package static let maximumRepetitions = 2
    /// A chip that streams without samples for this time has lost its settings.
    package static let silenceTimeout = Duration.seconds(3)
    /// The number of errors in a row after which one more means that the chip is lost.
    package static let maximumConsecutiveErrors = 2
    /// The time without errors after which the next one counts as a new fault.
    package static let steadyTime = Duration.seconds(30)
    private static let errorPause = Duration.milliseconds(200)

    package let name = "accelerometer"
    /// Why there are no verdicts, or why they cost more current than they should.
    package var fault: (any Fault)? { error ?? wake.error }

    private enum State {
        case absent(until: Instant)
        case resting(until: Instant)
        case streaming(until: Instant)
    }

    private let chip: any Accelerometer
    private let bus: any RegisterBus
    private let threshold: Acceleration
    private let levels: MotionDetector.Thresholds
    private var wake: WakeLine
    private var state = State.absent(until: .boot)
    private var rearmAt = Instant.boot
    private var wellSince: Instant?
    private var isWanted = false
    private var confirmUntil: Instant?
    private var detector: MotionDetector
    private var stuckDetector = StuckSensorDetector()
    private var backoff = Backoff.device
    private var errors = 0
    package private(set) var errorCount = 0
    private var isThere: Bool?
    private var error: ChipSensorError?
    private var pendingEvents: [Event] = []

    /// Makes a sensor that uses the bus only when the loop calls; without a line it polls the chip at rest.
    package init(
        _ chip: any Accelerometer, on bus: any RegisterBus, wakingBy line: LineReference? = nil,
        of lines: (any LineProvider)? = nil, threshold: Acceleration,
        levels: MotionDetector.Thresholds = MotionDetector.Thresholds()
    ) {
        self.chip = chip
        self.bus = bus
        self.threshold = threshold
        self.levels = levels
        detector = MotionDetector(thresholds: levels)
        wake = WakeLine(line, of: lines)
    }

    package var wait: Wait {
        switch state {
        case .absent(let until): Wait(deadline: until)
        case .resting where mustStream: Wait(deadline: .boot)
        case .resting(let until): Wait(wake.descriptor.map(Wait.Interest.read), deadline: until)
        case .streaming(let until): Wait(deadline: until)
        }
    }

    package func stream(_ isStreaming: Bool, at now: Instant) { isWanted = isStreaming }

    package func advance(at now: Instant) -> [Event] {
        do throws(ChipError) {
            try step(at: now)
        } catch {
            fail(error, at: now)
        }
        defer { pendingEvents = [] }
        return pendingEvents
    }

    private var mustStream: Bool { isWanted || confirmUntil != nil }

    private func step(at now: Instant) throws(ChipError) {
        switch state {
        case .absent(let until):
            guard now >= until else { return }
            try chip.identify(on: bus)
            try settle(at: now)
        case .resting(let until):
            let hasFelt = wake.hasRisen(at: now)
            guard !mustStream else { return try settle(at: now) }
            guard hasFelt || now >= until else { return }
            try checkWake(at: now)
        case .streaming(let until):
            guard now >= until else { return }
            try read(at: now)
            if let end = confirmUntil, now >= end { confirmUntil = nil }
            if !mustStream { try settle(at: now) }
        }
    }

    /// Sets the chip up to stream or to watch, as wanted now.
    private func settle(at now: Instant) throws(ChipError) {
        if mustStream {
            try chip.stream(on: bus)
            detector = MotionDetector(thresholds: levels)
            stuckDetector.begin(at: now)
            state = .streaming(until: now + batchTime)
        } else {
            try rest(at: now)
        }
        recover(at: now)
    }

    private func rest(at now: Instant) throws(ChipError) {
        wake.take(at: now)
        try chip.watch(above: threshold, on: bus)
        // Only now, so that a failed watch is tried again at the next check.
        rearmAt = now + Self.rearmInterval
        state = .resting(until: nextCheck(at: now))
        // Motion that the chip detected before the line was requested raises no edge any more.
        if wake.isActive { try checkWake(at: now) }
    }

    /// Asks the chip whether it has detected motion.
    private func checkWake(at now: Instant) throws(ChipError) {
        guard try hasWoken(at: now) else {
            wake.noteIdle()
            guard case .resting = state else { return }
            guard now < rearmAt else { return try settle(at: now) }
            // A line that was busy may be free by now, and a lost one wakes no thread.
            wake.take(at: now)
            state = .resting(until: nextCheck(at: now))
            return recover(at: now)
        }
        confirmUntil = now + Self.confirmTime
        try settle(at: now)
    }

    private func nextCheck(at now: Instant) -> Instant { wake.descriptor == nil ? now + Self.restPoll : rearmAt }

    private func hasWoken(at now: Instant) throws(ChipError) -> Bool {
        do throws(ChipError) {
            return try chip.takeWake(on: bus)
        } catch {
            // The chip may have reported motion and released its line although the answer was lost.
            confirmUntil = now + Self.confirmTime
            throw error
        }
    }

    private func read(at now: Instant) throws(ChipError) {
        let batch = try chip.readSamples(on: bus)
        state = .streaming(until: now + batchTime)
        let step = Duration(inSeconds: 1 / chip.rate)
        for (index, sample) in batch.samples.enumerated() {
            let moment = now - step * (batch.samples.count - 1 - index)
            guard let verdict = detector.add(sample, at: moment) else { continue }
            if verdict.isMoving, confirmUntil != nil { confirmUntil = now + Self.confirmTime }
            pendingEvents.append(.motion(verdict))
        }
        switch stuckDetector.examine(batch.samples, at: now) {
        case nil: recover(at: now)
        case .repeating(let times)? where times <= Self.maximumRepetitions:
            try chip.identify(on: bus)
            try settle(at: now)
        case .repeating?:
            lose(.repeating(model: chip.model), at: now)
        case .silent?:
            lose(.silent(model: chip.model), at: now)
        }
    }

    private var batchTime: Duration {
        min(Self.batchTime, Duration(inSeconds: max(1, Double(chip.depth) * 0.7) / chip.rate))
    }
}

// MARK: Faults

extension ChipSensor {
    private func recover(at now: Instant) {
        errors = 0
        let since = wellSince ?? now
        wellSince = since
        if now - since >= Self.steadyTime { backoff.reset() }
        error = nil
        report(isThere: true)
    }

    private func fail(_ error: ChipError, at now: Instant) {
        errors += 1
        errorCount += 1
        let isForeign = if case .foreign = error { true } else { false }
        guard errors > Self.maximumConsecutiveErrors || isForeign || isThere != true else { return retry(at: now) }
        lose(.chip(model: chip.model, error), at: now)
    }

    private func retry(at now: Instant) {
        switch state {
        case .absent: state = .absent(until: now + Self.errorPause)
        case .resting: state = .resting(until: now + Self.errorPause)
        case .streaming: state = .streaming(until: now + Self.errorPause)
        }
    }

    private func lose(_ reason: ChipSensorError, at now: Instant) {
        state = .absent(until: now + backoff.next())
        confirmUntil = nil
        errors = 0
        wellSince = nil
        error = reason
        report(isThere: false)
    }

    private func report(isThere now: Bool) {
        guard isThere != now else { return }
        isThere = now
        pendingEvents.append(.motionSensor(isThere: now))
    }
}
