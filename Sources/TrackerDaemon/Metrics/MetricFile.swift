import Glibc
import Logging
import Quantities

/// The Prometheus textfile: decides when to write it, and replaces it as a whole.
///
/// The daemon writes the file when it is awake anyway. Only after a change within `interval` of the last writing, it wakes once
/// more, so that the file never has an old state for long. While the vehicle is parked, nothing changes, and no timer runs. The
/// file waits for the end of a position check, because a check at whose begin it was written would need a second writing.
struct MetricFile {
    private let path: String
    /// The shortest time between two writings.
    private let interval: Duration
    private let log: Logger
    private var writtenAt: Instant?
    /// Whether a value of importance has changed since the last writing.
    private var hasChanged = false
    /// Since when the present state is expected to end soon; nil if it may last.
    private var passingSince: Instant?
    /// Why the last writing failed; nil if it succeeded.
    private var fault: String?

    /// Makes a file for a loop clock that runs faster than real time by `pace`.
    init(_ settings: MetricSettings, pace: Double, log: Logger) {
        path = settings.textfile
        interval = settings.interval * pace
        self.log = log
    }

    /// When to write a change that came soon after the last writing; nil without such a change.
    var deadline: Instant? {
        guard hasChanged, let writtenAt else { return nil }
        // The end of the passing state wakes the daemon by itself.
        return passingSince.map { max($0, writtenAt) + interval } ?? writtenAt + interval
    }

    /// Notes that a value has changed that somebody may wait for.
    mutating func noteChange() { hasChanged = true }

    /// Writes the file if the last writing is old enough; waits for the end of a state that `isPassing`, at most for the interval.
    mutating func turn(at now: Instant, isPassing: Bool, values: () -> MetricValues) {
        passingSince = isPassing ? passingSince ?? now : nil
        if let writtenAt {
            guard now - max(writtenAt, passingSince ?? writtenAt) >= interval else { return }
        }
        write(values(), at: now)
    }

    /// Writes the file now.
    mutating func write(_ values: MetricValues, at now: Instant) {
        (writtenAt, hasChanged) = (now, false)
        let failure = replace(with: Array(MetricText.write(values).utf8))
        defer { fault = failure }
        guard failure != fault else { return }
        if let failure {
            log.warning(
                "\(path): trackerd cannot write the metrics (\(failure)). Set `metrics.textfile` to a file in /run/trackerd, or let trackerd write to the folder."
            )
        } else {
            log.notice("\(path): trackerd writes the metrics again.")
        }
    }

    /// Replaces the file, so that a reader gets the former file or the new one; returns why this failed.
    private func replace(with bytes: [UInt8]) -> String? {
        // node_exporter ignores this file, because its name does not end in .prom.
        let temporary = path + ".new"
        // With O_NONBLOCK, a pipe of this name is an error instead of a wait.
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = open(temporary, flags, 0o644)
        guard descriptor >= 0 else { return reason }
        // The reader is another user, and the service's umask hides new files from other users.
        var isComplete = fchmod(descriptor, 0o644) == 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        var failure = isComplete ? nil : reason
        isComplete = close(descriptor) == 0 && isComplete
        if isComplete, rename(temporary, path) == 0 { return nil }
        failure = failure ?? reason
        unlink(temporary)
        return failure
    }

    private var reason: String { String(cString: strerror(errno)) }
}
