import Control
import FoundationEssentials
import Glibc
import Hardware
import Logging
import Quantities
import Tracking

/// Writes one JSON object per line, and never waits for the reader. If the pipe or the disk is full, lines are dropped and
/// counted; the first loss is logged, and later the recovery. A pipe without a reader is opened again for each line.
final class EventFeed {
    /// How many lines in a row must arrive before a recovery is logged: a slow reader receives some lines and loses
    /// others.
    private static let linesOfProof = 10

    private let path: String
    private let log: Logger
    private let encoder = JSONEncoder()
    private var descriptor: Int32 = -1
    private var rest: [UInt8] = []
    private var lost = 0
    private var arrivedSince = 0
    private var isFaultReported = false

    /// An existing file is emptied.
    init(path: String, log: Logger) {
        self.path = path
        self.log = log
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !open() { reportFault(errno) }
    }

    func write(_ line: some Encodable) {
        guard let data = try? encoder.encode(line) else { return }
        guard open(), putRest(), put(Array(data) + [UInt8(ascii: "\n")]) else { return noteLoss(errno) }
        noteArrival()
    }

    func finish() {
        _ = putRest()
        if lost > 0 { log.notice("\(path): \(lost) \(lost == 1 ? "event was" : "events were") lost.") }
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func open() -> Bool {
        guard descriptor < 0 else { return true }
        // With O_NONBLOCK, opening a pipe without a reader fails at once, and writing to a full pipe does not block.
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o644)
        return descriptor >= 0
    }

    private func putRest() -> Bool {
        guard !rest.isEmpty else { return true }
        let bytes = rest
        rest = []
        if put(bytes), rest.isEmpty { return true }
        // No other line may be written between the two parts of a line.
        if descriptor >= 0, rest.isEmpty { rest = bytes }
        return false
    }

    /// Writes the bytes, and keeps in `rest` those that do not fit; returns false if none can be written, with the reason in
    /// `errno`.
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

    /// Closes the pipe after its reader has ended, so that the next reader receives only whole lines.
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
            "\(path): trackerd writes the events again; \(lost) \(lost == 1 ? "event was" : "events were") lost.")
        (lost, arrivedSince, isFaultReported) = (0, 0, false)
    }

    private func reportFault(_ reason: Int32) {
        guard !isFaultReported else { return }
        isFaultReported = true
        let cause =
            switch reason {
            case ENXIO, EPIPE: "no process reads the pipe"
            case EAGAIN: "the pipe is full, because its reader is too slow or has stopped reading"
            default: String(cString: strerror(reason))
            }
        log.warning("\(path): events are lost (\(cause)). Recording continues.")
    }
}

/// The last line of a replay or a run.
struct SummaryLine: Encodable {
    let event = "summary"
    let trips: Int
    let stops: Int
    let distance_m: Double
    let moving_s: Double
    let receiver_on_s: Double
    let charge_mAh: Double
    let records: Int
    let refused: [String: Int]

    init(_ summary: DriveSummary, currents: Currents, from start: Instant, to end: Instant) {
        trips = summary.trips
        stops = summary.stops
        distance_m = summary.distance.value.tenths
        moving_s = summary.movingTime(at: end).tenths
        receiver_on_s = summary.receiverTime(at: end).tenths
        charge_mAh = currents.charge(over: end - start, receiverOn: summary.receiverTime(at: end)).tenths
        records = summary.records
        refused = Dictionary(uniqueKeysWithValues: summary.refused.map { ($0.rawValue, $1) })
    }
}
