import Hardware
import Quantities

/// The interrupt line of a chip, if it has one that can be had.
struct WakeLine {
    /// Why it cannot be had, or does not do what it should.
    private(set) var complaint: String?

    private let reference: LineReference?
    private let lines: (any LineProvider)?
    private var line: (any InputLine)?
    private var backoff = Backoff.device
    private var retryAt = Instant.boot

    init(_ reference: LineReference?, of lines: (any LineProvider)?) {
        self.reference = reference
        self.lines = lines
    }

    /// Readable when the line has changed; nothing without a line.
    var descriptor: Int32? { line?.descriptor }

    /// Whether the chip holds it active now.
    var isActive: Bool { (try? line?.isActive()) ?? false }

    /// Takes the line, if there is one and it is not held already.
    mutating func take(at now: Instant) {
        guard let reference, let lines, line == nil, now >= retryAt else { return }
        do throws(LineError) {
            line = try lines.input(reference)
            complaint = nil
            backoff.reset()
        } catch {
            complaint = "\(error) Meanwhile the chip is asked once a second, which costs current."
            retryAt = now + backoff.next()
        }
    }

    /// Whether it has become active since the last time; a line that is lost is taken anew later.
    mutating func hasRisen(at now: Instant) -> Bool {
        guard let line else { return false }
        do throws(LineError) {
            return try line.edges().contains { $0.isActive }
        } catch {
            complaint = "\(error)"
            self.line = nil
            retryAt = now + backoff.next()
            return true
        }
    }

    /// The chip says that it felt nothing.
    mutating func noteIdle() {
        guard let reference, line != nil else { return }
        complaint =
            isActive
            ? "GPIO \(reference): is active though the accelerometer felt nothing. Check the wire, and `activeLow`."
            : nil
    }
}
