package import Hardware
package import Motion
package import Quantities
package import Tracking

/// An accelerometer chip on a bus. At rest the chip itself detects motion, and the sensor reads no samples. Once the
/// chip has detected motion, and while the vehicle moves, the sensor reads samples in batches and judges them.
///
/// A chip that repeatedly does not answer, or for some seconds repeats its sample or returns none, counts as lost, and
/// is set up again after growing pauses.
package final class ChipSensor: MotionSensor {
    /// How often the sensor polls the chip at rest without a usable interrupt line.
    package static let restPoll = Duration.seconds(1)
    /// How often the chip is set up again at rest; one that has lost its settings would never wake the program.
    package static let rearmInterval = Duration.seconds(900)
    /// The time between batches is long enough to wake the program rarely, and short enough that no FIFO overflows.
    package static let batchTime = Duration.milliseconds(800)
    /// Several attempts are made, because single transfers occasionally fail.
    private static let armingAttempts = 3
    private static let errorPause = Duration.milliseconds(200)

    package var name: String { "accelerometer" }
    /// Why the sensor reports no verdicts, or why the chip draws more current than it should.
    package var fault: (any Fault)? { health.error ?? wake.error }
    package var errorCount: Int { health.errorCount }

    private enum State {
        case absent(until: Instant)
        case resting(until: Instant)
        case streaming(until: Instant)
    }

    private let chip: any Accelerometer
    private let bus: any RegisterBus
    private let threshold: Acceleration
    private var wake: WakeLine
    private var state = State.absent(until: .boot)
    private var rearmAt = Instant.boot
    private var demand = StreamDemand()
    private var samples: SampleStream
    private var health = ChipHealth()
    private var pendingEvents: [Event] = []

    /// Does not use the bus yet.
    package init(
        _ chip: any Accelerometer, on bus: any RegisterBus, wakingBy line: LineReference? = nil,
        of lines: (any LineProvider)? = nil, threshold: Acceleration,
        levels: MotionDetector.Thresholds = MotionDetector.Thresholds()
    ) {
        self.chip = chip
        self.bus = bus
        self.threshold = threshold
        samples = SampleStream(levels)
        wake = WakeLine(line, of: lines)
    }

    package var wait: Wait {
        switch state {
        case .absent(let until): Wait(deadline: until)
        case .resting where demand.isActive: Wait(deadline: .boot)
        case .resting(let until):
            Wait(
                wake.wakingDescriptor.map(Wait.Interest.read),
                deadline: demand.armedUntil.map { min($0, until) } ?? until)
        case .streaming(let until): Wait(deadline: until)
        }
    }

    package func stream(_ isStreaming: Bool, at now: Instant) { demand.request(isStreaming) }

    package func advance(at now: Instant) -> [Event] {
        do throws(ChipError) {
            try step(at: now)
        } catch {
            fail(error, at: now)
        }
        defer { pendingEvents = [] }
        return pendingEvents
    }

    private func step(at now: Instant) throws(ChipError) {
        demand.endArming(at: now)
        switch state {
        case .absent(let until):
            guard now >= until else { return }
            try chip.identify(on: bus)
            try settle(at: now)
        case .resting(let until):
            let hasFelt = wake.hasRisen(at: now)
            guard !demand.isActive else { return try settle(at: now) }
            guard hasFelt || now >= until else { return }
            try checkWake(at: now, hasRisen: hasFelt)
        case .streaming(let until):
            guard now >= until else { return }
            try read(at: now)
            demand.endConfirmation(at: now)
            if !demand.isActive { try settle(at: now) }
        }
    }

    /// Sets up the chip to stream or to detect motion, as is now required.
    private func settle(at now: Instant) throws(ChipError) {
        wake.take(at: now)
        if wake.needsTest(at: now) {
            try chip.stream(on: bus)
            try wake.test(chip, on: bus, at: now)
        }
        if demand.isActive {
            try chip.stream(on: bus)
            samples.begin(at: now)
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
        demand.confirm(at: now)
        try settle(at: now)
    }

    private func nextCheck(at now: Instant) -> Instant { wake.wakingDescriptor == nil ? now + Self.restPoll : rearmAt }

    private func hasWoken(at now: Instant) throws(ChipError) -> Bool {
        do throws(ChipError) {
            return try chip.takeWake(on: bus)
        } catch {
            // The chip may have reported motion and released its line, although the report was lost.
            demand.confirm(at: now)
            throw error
        }
    }

    private func read(at now: Instant) throws(ChipError) {
        let batch = try chip.readSamples(on: bus)
        state = .streaming(until: now + batchTime)
        let (verdicts, finding) = samples.examine(batch, rate: chip.rate, at: now)
        if demand.isConfirming, verdicts.contains(where: \.isMoving) { demand.confirm(at: now) }
        pendingEvents += verdicts.map(Event.motion)
        switch finding {
        case nil: recover(at: now)
        case .repeating:
            try chip.identify(on: bus)
            try settle(at: now)
        case .stuck: lose(.repeating(model: chip.model), at: now)
        case .silent: lose(.silent(model: chip.model), at: now)
        }
    }

    private var batchTime: Duration {
        min(Self.batchTime, Duration(inSeconds: max(1, Double(chip.depth) * 0.7) / chip.rate))
    }
}

// MARK: The wake-up of a halted board

extension ChipSensor {
    package func armWakeUp(at now: Instant) -> (any Fault)? {
        guard !demand.isConfirming else { return WakeUpError.motion(model: chip.model) }
        if case .absent = state { return health.error ?? WakeUpError.absent(model: chip.model) }
        let fault = arm(at: now)
        guard fault == nil else { return fault }
        state = .resting(until: nextCheck(at: now))
        demand.suspend(at: now)
        return nil
    }

    /// Leaves the chip armed, because the system may halt the board next. This also clears motion of the last seconds;
    /// otherwise the line would not change when the vehicle moves.
    package func close(at now: Instant, by deadline: Instant) {
        if case .absent = state { return }
        _ = arm(at: now)
    }

    /// Nil if the settings are read back as they were written, and the chip's line is inactive.
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
                health.countError()
                last = ChipSensorError.chip(model: chip.model, error)
            }
        }
        return last
    }
}

// MARK: Faults

extension ChipSensor {
    private func recover(at now: Instant) { pendingEvents += health.recover(at: now) }

    private func fail(_ error: ChipError, at now: Instant) {
        guard health.isLost(after: error) else { return retry(at: now) }
        lose(.chip(model: chip.model, error), at: now)
    }

    private func retry(at now: Instant) {
        let pause = now + Self.errorPause
        switch state {
        case .absent: state = .absent(until: pause)
        case .resting: state = .resting(until: pause)
        case .streaming: state = .streaming(until: pause)
        }
    }

    private func lose(_ reason: ChipSensorError, at now: Instant) {
        let (pause, events) = health.lose(reason)
        state = .absent(until: now + pause)
        demand.dropConfirmation()
        pendingEvents += events
    }
}
