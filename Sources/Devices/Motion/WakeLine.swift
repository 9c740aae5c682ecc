import Hardware
import Quantities

/// The interrupt line of a chip, if the chip has one and the program can use it.
struct WakeLine {
    /// Why the program cannot use the line, or why the line does not work as it should.
    private(set) var error: ChipSensorError?

    private let reference: LineReference?
    private let lines: (any LineProvider)?
    private var line: (any InputLine)?
    private var backoff = Backoff.device
    private var retryAt = Instant.boot

    init(_ reference: LineReference?, of lines: (any LineProvider)?) {
        self.reference = reference
        self.lines = lines
    }

    /// The descriptor, readable when the line has changed; nil if no line is requested.
    var descriptor: Int32? { line?.descriptor }

    /// Whether the line is active now; false if no line is requested, or if the line cannot be read.
    var isActive: Bool { (try? line?.isActive()) ?? false }

    /// Requests the line, if the chip has a line that the program has not requested yet.
    ///
    /// After a failure, the call has no effect until a pause is over.
    mutating func take(at now: Instant) {
        guard let reference, let lines, line == nil, now >= retryAt else { return }
        do throws(LineError) {
            line = try lines.input(reference)
            error = nil
            backoff.reset()
        } catch {
            lose(error, at: now)
        }
    }

    /// Returns whether the line has become active since the last call.
    ///
    /// Also returns true if this call loses the line; a later call of `take` requests the line again.
    mutating func hasRisen(at now: Instant) -> Bool {
        guard let line else { return false }
        do throws(LineError) {
            return try line.edges().contains { $0.isActive }
        } catch {
            lose(error, at: now)
            return true
        }
    }

    /// Notes that the chip has detected no motion.
    mutating func noteIdle() {
        guard let reference, line != nil else { return }
        error = isActive ? .wakeLineStuck(reference) : nil
    }

    private mutating func lose(_ error: LineError, at now: Instant) {
        line = nil
        self.error = .wakeLine(error)
        retryAt = now + backoff.next()
    }
}
