package import Hardware
package import Motion
package import Quantities
package import Tracking

/// An accelerometer chip on a bus.
///
/// At rest the chip itself detects motion, and the sensor reads no samples. After the chip has detected motion, and while the
/// vehicle moves, the sensor reads samples in batches and judges them.
///
/// If a chip still does not answer or still repeats its samples after some attempts, or returns no samples, the sensor treats
/// the chip as lost. The sensor then sets up the chip again after growing pauses.
package final class ChipSensor: MotionSensor {
    /// The interval at which the sensor polls the chip at rest if it cannot use an interrupt line.
    package static let restPoll = Duration.seconds(1)
    /// The interval at which the sensor sets up the chip again at rest; a chip that has lost its settings would never wake the
    /// program.
    package static let rearmInterval = Duration.seconds(900)
    /// The time for which the sensor judges samples after the chip has detected motion, and again after each verdict of motion.
    package static let confirmTime = Duration.seconds(8)
    /// The interval between batches; it is long enough to wake the program rarely, but short enough that no FIFO
    /// overflows.
    package static let batchTime = Duration.milliseconds(800)
    /// The time with identical samples after which the sensor sets up the chip again, because the chip may be stuck.
    package static let stuckTimeout = Duration.seconds(10)
    /// The number of `stuckTimeout` periods in a row that the sensor tolerates; the samples of a working chip vary with
    /// noise.
    package static let maximumRepetitions = 2
    /// The time without samples after which a streaming chip has probably lost its settings.
    package static let silenceTimeout = Duration.seconds(3)
    /// The number of errors in a row that the sensor tolerates; after one more error, it treats the chip as lost.
    ///
    /// If the chip is foreign, has not worked yet, or is already lost, the sensor treats it as lost after the first
    /// error.
    package static let maximumConsecutiveErrors = 2
    /// If the sensor does not lose the chip for this time, it returns to the shortest pause between its attempts.
    package static let steadyTime = Duration.seconds(30)
    /// The time for which the sensor ignores an earlier request to stream after it has armed the chip for a halt.
    ///
    /// After this time, a halting board is off. A new call of `stream` ends this time. Motion still makes the sensor
    /// stream.
    package static let armedTime = Duration.seconds(300)
    /// The number of attempts to arm a chip; single transfers occasionally fail.
    private static let armingAttempts = 3
    private static let errorPause = Duration.milliseconds(200)

    package let name = "accelerometer"
    /// Why the sensor reports no verdicts, or why the chip draws more current than it should; nil while the sensor works.
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
    private var armedUntil: Instant?
    private var detector: MotionDetector
    private var stuckDetector = StuckSensorDetector()
    private var backoff = Backoff.device
    private var errors = 0
    package private(set) var errorCount = 0
    private var isThere: Bool?
    private var error: ChipSensorError?
    private var pendingEvents: [Event] = []

    /// Makes a sensor, which uses the bus only during calls of the loop.
    ///
    /// If the sensor cannot use an interrupt line, it polls the chip at rest.
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
        case .resting(let until):
            Wait(wake.wakingDescriptor.map(Wait.Interest.read), deadline: armedUntil.map { min($0, until) } ?? until)
        case .streaming(let until): Wait(deadline: until)
        }
    }

    package func stream(_ isStreaming: Bool, at now: Instant) {
        isWanted = isStreaming
        armedUntil = nil
    }

    package func advance(at now: Instant) -> [Event] {
        do throws(ChipError) {
            try step(at: now)
        } catch {
            fail(error, at: now)
        }
        defer { pendingEvents = [] }
        return pendingEvents
    }

    private var mustStream: Bool { isWanted && armedUntil == nil || confirmUntil != nil }

    private func step(at now: Instant) throws(ChipError) {
        if let end = armedUntil, now >= end { armedUntil = nil }
        switch state {
        case .absent(let until):
            guard now >= until else { return }
            try chip.identify(on: bus)
            try settle(at: now)
        case .resting(let until):
            let hasFelt = wake.hasRisen(at: now)
            guard !mustStream else { return try settle(at: now) }
            guard hasFelt || now >= until else { return }
            try checkWake(at: now, hasRisen: hasFelt)
        case .streaming(let until):
            guard now >= until else { return }
            try read(at: now)
            if let end = confirmUntil, now >= end { confirmUntil = nil }
            if !mustStream { try settle(at: now) }
        }
    }

    /// Sets up the chip to stream or to detect motion, as is now required.
    private func settle(at now: Instant) throws(ChipError) {
        wake.take(at: now)
        if wake.needsTest(at: now) {
            try chip.stream(on: bus)
            try wake.test(chip, on: bus, at: now)
        }
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
        try chip.watch(above: threshold, on: bus)
        // `rearmAt` changes only after a successful call of `watch`, so after a failure the next check calls `watch` again.
        rearmAt = now + Self.rearmInterval
        state = .resting(until: nextCheck(at: now))
        // If the chip detected motion before the sensor requested the line, no further edge follows.
        if wake.isActive { try checkWake(at: now, hasRisen: true) }
    }

    /// Asks the chip whether it has detected motion.
    private func checkWake(at now: Instant, hasRisen: Bool) throws(ChipError) {
        let wasActive = hasRisen || wake.isActive
        guard try hasWoken(at: now) else {
            wake.noteIdle()
            guard case .resting = state else { return }
            // If the line was busy or lost, request it again. Without the line, the chip cannot wake the program.
            wake.take(at: now)
            guard now < rearmAt, !wake.needsTest(at: now) else { return try settle(at: now) }
            state = .resting(until: nextCheck(at: now))
            return recover(at: now)
        }
        wake.noteMotion(at: now, hasChanged: wasActive || wake.hasRisen(at: now))
        confirmUntil = now + Self.confirmTime
        try settle(at: now)
    }

    private func nextCheck(at now: Instant) -> Instant { wake.wakingDescriptor == nil ? now + Self.restPoll : rearmAt }

    private func hasWoken(at now: Instant) throws(ChipError) -> Bool {
        do throws(ChipError) {
            return try chip.takeWake(on: bus)
        } catch {
            // The chip may have reported motion and released its line, although the report was lost.
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

// MARK: The wake-up of a halted board

extension ChipSensor {
    package func armWakeUp(at now: Instant) -> (any Fault)? {
        guard confirmUntil == nil else { return WakeUpError.motion(model: chip.model) }
        if case .absent = state { return error ?? WakeUpError.absent(model: chip.model) }
        let fault = arm(at: now)
        guard fault == nil else { return fault }
        state = .resting(until: nextCheck(at: now))
        armedUntil = now + Self.armedTime
        return nil
    }

    /// Leaves the chip armed, whatever the reason for the end of the program, because the system may halt the board next.
    ///
    /// The call also clears motion that the chip has detected in the last seconds. Otherwise the line would not change
    /// when the vehicle moves.
    package func close(at now: Instant, by deadline: Instant) {
        if case .absent = state { return }
        _ = arm(at: now)
    }

    /// Sets up the chip, reads the settings back, and checks that the chip's line is inactive.
    private func arm(at now: Instant) -> (any Fault)? {
        wake.take(at: now)
        if let fault = wake.error { return fault }
        var last: (any Fault)?
        for _ in 0..<Self.armingAttempts {
            do throws(ChipError) {
                try chip.watch(above: threshold, on: bus)
                guard try chip.isWatching(above: threshold, on: bus) else {
                    last = WakeUpError.unset(model: chip.model)
                    continue
                }
                guard !wake.isActive else {
                    last = WakeUpError.active(model: chip.model)
                    continue
                }
                rearmAt = now + Self.rearmInterval
                return nil
            } catch {
                errorCount += 1
                last = ChipSensorError.chip(model: chip.model, error)
            }
        }
        return last
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
