package import Hardware
package import Motion
package import Quantities
package import Tracking

/// An accelerometer chip on a bus: at rest it watches by itself and nothing is read; when it feels something, or the
/// vehicle moves, its samples are read in batches and judged.
///
/// A chip that does not answer, repeats itself or says nothing is set up anew, with growing pauses.
package final class ChipSensor: MotionSensor {
    /// Without an interrupt line the chip is asked this often at rest whether it felt something.
    package static let restPoll = Duration.seconds(1)
    /// At rest the chip is set up anew this often: one that lost its supply would never wake anybody.
    package static let rearmInterval = Duration.seconds(900)
    /// After the chip felt something its samples are judged for so long, and again after each verdict of motion.
    package static let confirmTime = Duration.seconds(8)
    /// A batch this often wakes the program little, and leaves the buffers of all chips room.
    package static let batchTime = Duration.milliseconds(800)
    /// A chip whose samples have not changed for so long may hang, and is set up anew.
    package static let longestRepetition = Duration.seconds(10)
    /// One that repeats itself once more after so many times hangs; noise moves the last digit of a good one now and then.
    package static let bearableRepetitions = 2
    /// A chip that streams and has no samples for so long has lost its settings.
    package static let longestSilence = Duration.seconds(3)
    /// So many errors in a row are borne; more, and the chip counts as gone.
    package static let bearableErrors = 2
    /// A chip that has been well for so long is: a fault that comes then is a new one.
    package static let steadyTime = Duration.seconds(30)
    private static let errorPause = Duration.milliseconds(200)

    package let name = "accelerometer"
    /// Why there is no motion to be told of now, or why it costs more than it should.
    package var complaint: String? { trouble ?? wake.complaint }

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
    private var vigilance = Vigilance()
    private var backoff = Backoff.device
    private var errors = 0
    package private(set) var errorCount = 0
    private var isThere: Bool?
    private var trouble: String?
    private var outbox: [Event] = []

    /// Makes a sensor that touches nothing before the loop calls it; without a line it asks the chip at rest.
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
        defer { outbox = [] }
        return outbox
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
            try look(at: now)
        case .streaming(let until):
            guard now >= until else { return }
            try read(at: now)
            if let end = confirmUntil, now >= end { confirmUntil = nil }
            if !mustStream { try settle(at: now) }
        }
    }

    /// Sets the chip up for what is wanted of it now.
    private func settle(at now: Instant) throws(ChipError) {
        if mustStream {
            try chip.stream(on: bus)
            detector = MotionDetector(thresholds: levels)
            vigilance.begin(at: now)
            state = .streaming(until: now + batchTime)
        } else {
            try rest(at: now)
        }
        recover(at: now)
    }

    private func rest(at now: Instant) throws(ChipError) {
        wake.take(at: now)
        try chip.watch(above: threshold, on: bus)
        // Not before: a watch that failed half-way is tried again at the next look.
        rearmAt = now + Self.rearmInterval
        state = .resting(until: nextLook(at: now))
        // What it felt before anybody listened raises no edge any more.
        if wake.isActive { try look(at: now) }
    }

    /// Asks the chip whether it felt something.
    private func look(at now: Instant) throws(ChipError) {
        guard try hasWoken(at: now) else {
            wake.noteIdle()
            guard case .resting = state else { return }
            guard now < rearmAt else { return try settle(at: now) }
            // A line that could not be had may be free by now; one that is lost wakes nobody.
            wake.take(at: now)
            state = .resting(until: nextLook(at: now))
            return recover(at: now)
        }
        confirmUntil = now + Self.confirmTime
        try settle(at: now)
    }

    private func nextLook(at now: Instant) -> Instant { wake.descriptor == nil ? now + Self.restPoll : rearmAt }

    private func hasWoken(at now: Instant) throws(ChipError) -> Bool {
        do throws(ChipError) {
            return try chip.takeWake(on: bus)
        } catch {
            // The chip may have told it, and let go of its line, when the answer was lost.
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
            outbox.append(.motion(verdict))
        }
        switch vigilance.note(batch.samples, at: now) {
        case nil: recover(at: now)
        case .repeating(let times)? where times <= Self.bearableRepetitions:
            try chip.identify(on: bus)
            try settle(at: now)
        case .repeating?:
            lose(because: "the accelerometer repeats the same sample. It is set up anew, again and again.", at: now)
        case .silent?:
            lose(
                because: "the accelerometer has no samples though it was told to collect them. Is its supply steady?",
                at: now)
        }
    }

    private var batchTime: Duration {
        min(Self.batchTime, Duration(inSeconds: max(1, Double(chip.depth) * 0.7) / chip.rate))
    }
}

// MARK: Trouble

extension ChipSensor {
    private func recover(at now: Instant) {
        errors = 0
        let since = wellSince ?? now
        wellSince = since
        if now - since >= Self.steadyTime { backoff.reset() }
        trouble = nil
        tell(isThere: true)
    }

    private func fail(_ error: ChipError, at now: Instant) {
        errors += 1
        errorCount += 1
        let isForeign = if case .foreign = error { true } else { false }
        guard errors > Self.bearableErrors || isForeign || isThere != true else { return retry(at: now) }
        lose(because: "\(chip.model): \(error)", at: now)
    }

    private func retry(at now: Instant) {
        switch state {
        case .absent: state = .absent(until: now + Self.errorPause)
        case .resting: state = .resting(until: now + Self.errorPause)
        case .streaming: state = .streaming(until: now + Self.errorPause)
        }
    }

    private func lose(because reason: String, at now: Instant) {
        state = .absent(until: now + backoff.next())
        confirmUntil = nil
        errors = 0
        wellSince = nil
        trouble = reason
        tell(isThere: false)
    }

    private func tell(isThere now: Bool) {
        guard isThere != now else { return }
        isThere = now
        outbox.append(.motionSensor(isThere: now))
    }
}
