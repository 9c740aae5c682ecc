import Hardware
import Motion
import Quantities

struct WakeLine {
    /// Why the line is unusable, or does not work as it should.
    private(set) var error: ChipSensorError?

    private let reference: LineReference?
    private let lines: (any LineProvider)?
    private var line: (any InputLine)?
    /// True if the line has followed the chip's pin in a test of the wire.
    private var isProven = false
    private var testAt = Instant.boot
    private var backoff = Backoff.device
    private var retryAt = Instant.boot

    init(_ reference: LineReference?, of lines: (any LineProvider)?) {
        self.reference = reference
        self.lines = lines
    }

    /// Readable when the line has changed.
    var descriptor: Int32? { line?.descriptor }

    /// The descriptor to wait for; nil also if no test has shown that the wire works.
    var wakingDescriptor: Int32? { isProven ? line?.descriptor : nil }

    /// False also if the line cannot be read.
    var isActive: Bool { (try? line?.isActive()) ?? false }

    /// Requests the line; after a failure this has no effect until a pause is over.
    mutating func take(at now: Instant) {
        guard let reference, let lines, line == nil, now >= retryAt else { return }
        do throws(LineError) {
            line = try lines.input(reference)
            (error, isProven, testAt) = (nil, false, now)
            backoff.reset()
        } catch {
            lose(error, at: now)
        }
    }

    /// Returns whether the line has risen since the last call. True also if this call loses the line, which `take` then
    /// requests again.
    mutating func hasRisen(at now: Instant) -> Bool {
        guard let line else { return false }
        do throws(LineError) {
            return try line.edges().contains { $0.isActive }
        } catch {
            lose(error, at: now)
            return true
        }
    }

    mutating func noteIdle() {
        guard let reference, line != nil else { return }
        if isActive { error = .wakeLineStuck(reference) } else if isProven { error = nil }
    }

    /// `hasChanged` is true if the line was active at the motion or became active. A line that was idle all the time
    /// may be broken, and is tested again.
    mutating func noteMotion(at now: Instant, hasChanged: Bool) {
        guard line != nil, isProven, !hasChanged else { return }
        (isProven, testAt) = (false, now)
    }

    private mutating func lose(_ error: LineError, at now: Instant) {
        line = nil
        self.error = .wakeLine(error)
        retryAt = now + backoff.next()
    }
}

// MARK: The test of the wire

extension WakeLine {
    /// The reads together outlast a filter of a millisecond in the wire.
    private static let reads = 8
    /// The pause after a test; a wire that failed may have been repaired since.
    private static let retestInterval = Duration.seconds(900)

    func needsTest(at now: Instant) -> Bool { line != nil && !isProven && now >= testAt }

    /// Inverts the pin's idle level while the chip streams, and reads whether the line follows each time.
    mutating func test(_ chip: some Accelerometer, on bus: some RegisterBus, at now: Instant) throws(ChipError) {
        guard let reference else { return }
        isProven = try follows(chip, bus)
        testAt = now + Self.retestInterval
        error = isProven ? nil : isActive ? .wakeLineStuck(reference) : .wakeLineDead(reference)
        _ = hasRisen(at: now)
    }

    private func follows(_ chip: some Accelerometer, _ bus: some RegisterBus) throws(ChipError) -> Bool {
        // An open input may have the right level once or twice by chance.
        for isHigh in [false, true, false, true, false, true, false] {
            try chip.setIdleLevel(isHigh: isHigh, on: bus)
            guard try reaches(isActive: isHigh, chip, bus) else {
                try chip.setIdleLevel(isHigh: false, on: bus)
                return false
            }
        }
        return true
    }

    private func reaches(
        isActive level: Bool, _ chip: some Accelerometer, _ bus: some RegisterBus
    ) throws(ChipError) -> Bool {
        for _ in 0..<Self.reads where isActive != level { try chip.identify(on: bus) }
        return isActive == level
    }
}
