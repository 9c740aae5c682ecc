import FoundationEssentials
import Glibc
import Logging

/// Writes events for a reader, one JSON object per line, and never waits for the reader.
///
/// The feed drops and counts a line that does not fit. It logs once that lines are lost, and once that they arrive again.
/// If a pipe has no reader, the feed tries again with each line.
final class EventFeed {
    /// Consecutive lines that must arrive before the log reports recovery: a slow reader gets a line now and then.
    private static let linesOfProof = 10

    private let path: String
    private let log: Logger
    private let encoder = JSONEncoder()
    private var descriptor: Int32 = -1
    /// The rest of a partly written line.
    private var rest: [UInt8] = []
    private var lost = 0
    private var arrivedSince = 0
    private var isFaultReported = false

    /// Writes to a new file, which replaces an existing one, or to a pipe.
    init(path: String, log: Logger) {
        self.path = path
        self.log = log
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !open() { reportFault(errno) }
    }

    /// Writes one object.
    func write(_ line: some Encodable) {
        guard let data = try? encoder.encode(line) else { return }
        guard open(), putRest(), put(Array(data) + [UInt8(ascii: "\n")]) else { return noteLoss(errno) }
        noteArrival()
    }

    /// Ends the feed, and logs the number of lines lost since the last report of recovery.
    func finish() {
        _ = putRest()
        if lost > 0 { log.notice("\(path): \(lost) \(lost == 1 ? "event was" : "events were") lost.") }
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func open() -> Bool {
        guard descriptor < 0 else { return true }
        // With O_NONBLOCK, the system refuses a pipe without a reader at once, and a full pipe does not block.
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o644)
        return descriptor >= 0
    }

    private func putRest() -> Bool {
        guard !rest.isEmpty else { return true }
        let bytes = rest
        rest = []
        if put(bytes), rest.isEmpty { return true }
        // No other line may come between the two parts of a line.
        if descriptor >= 0, rest.isEmpty { rest = bytes }
        return false
    }

    /// Writes all bytes, or only the first; returns false if it could write none, and leaves the reason in `errno`.
    private func put(_ bytes: [UInt8]) -> Bool {
        let count = Glibc.write(descriptor, bytes, bytes.count)
        guard count > 0 else {
            let reason = errno
            if reason == EPIPE { hangUp() }
            errno = reason
            return false
        }
        rest = Array(bytes.dropFirst(count))
        return true
    }

    /// Closes the pipe after the reader has gone; the next reader gets whole lines.
    private func hangUp() {
        close(descriptor)
        descriptor = -1
        rest = []
    }

    private func noteLoss(_ reason: Int32) {
        lost += 1
        arrivedSince = 0
        reportFault(reason)
    }

    private func noteArrival() {
        guard lost > 0 else { return }
        arrivedSince += 1
        guard arrivedSince == Self.linesOfProof else { return }
        log.notice(
            "\(path): a process reads the events again; \(lost) \(lost == 1 ? "event was" : "events were") lost.")
        (lost, arrivedSince, isFaultReported) = (0, 0, false)
    }

    private func reportFault(_ reason: Int32) {
        guard !isFaultReported else { return }
        isFaultReported = true
        let cause =
            switch reason {
            case ENXIO, EPIPE: "no process reads the pipe"
            case EAGAIN: "the pipe is full, and no process reads from it"
            default: String(cString: strerror(reason))
            }
        log.warning("\(path): events are lost (\(cause)). Recording continues.")
    }
}
