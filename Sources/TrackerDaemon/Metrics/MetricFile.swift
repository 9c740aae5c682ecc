import Configuration
import Glibc
import Logging
import Quantities
import Tracking

/// Decides when to write the Prometheus textfile, and replaces the whole file each time.
///
/// The daemon writes the file when it is awake for another reason. If a value changes within `interval` of the last
/// write, the daemon wakes once more when `interval` is over, and writes the file. While nothing changes, for example
/// while the vehicle is parked, no timer runs. During a position check, the daemon postpones the write, but at most by
/// `interval`. A write at the beginning of the check would require a second write at its end.
struct MetricFile {
    private let path: String
    /// The shortest time between two writes.
    private let interval: Duration
    private let log: Logger
    private var writtenAt: Instant?
    /// Whether a change since the last write must reach the file within `interval`.
    private var hasChanged = false
    /// When the present short state, such as a position check, began; nil in other states.
    private var passingSince: Instant?
    /// Why the last write failed; nil if it succeeded.
    private var fault: String?

    /// Makes a file with these settings; the loop's clock runs faster than real time by the factor `pace`.
    init(_ settings: MetricSettings, pace: Double, log: Logger) {
        path = settings.textfile
        interval = settings.interval * pace
        self.log = log
    }

    /// When to write a change that came soon after the last write; nil if there is no such change.
    var deadline: Instant? {
        guard hasChanged, let writtenAt else { return nil }
        // The end of the short state wakes the daemon anyway. This deadline applies only if the state lasts longer than `interval`.
        return passingSince.map { max($0, writtenAt) + interval } ?? writtenAt + interval
    }

    /// Notes a change that must reach the file within `interval`.
    mutating func noteChange() { hasChanged = true }

    /// Writes the file if the last write was at least `interval` ago.
    ///
    /// If `isPassing` is true, postpones the write until the present state ends, but at most by `interval`.
    mutating func turn(at now: Instant, isPassing: Bool, values: () -> MetricValues) {
        passingSince = isPassing ? passingSince ?? now : nil
        if let writtenAt {
            guard now - max(writtenAt, passingSince ?? writtenAt) >= interval else { return }
        }
        write(values(), at: now)
    }

    mutating func write(_ values: MetricValues, at now: Instant) {
        (writtenAt, hasChanged) = (now, false)
        let failure = replace(with: Array(MetricText.write(values).utf8))
        defer { fault = failure }
        guard failure != fault else { return }
        if let failure {
            log.warning(
                "\(path): trackerd cannot write the metrics (\(failure)). Set `metrics.textfile` to a file in /run/trackerd, or let the service write to the folder (docs/metrics.md)."
            )
        } else {
            log.notice("\(path): trackerd writes the metrics again.")
        }
    }

    /// Replaces the file in one step; returns the reason for a failure, or nil on success.
    ///
    /// A reader gets either the former file or the new file.
    private func replace(with bytes: [UInt8]) -> String? {
        // node_exporter ignores this file, because its name does not end in .prom.
        let temporary = path + ".new"
        // With O_NONBLOCK, opening a pipe of this name fails at once instead of blocking.
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = open(temporary, flags, 0o644)
        guard descriptor >= 0 else { return reason }
        // The reader runs as another user, and the service's umask hides new files from other users.
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

extension Effect {
    /// Whether the metrics file must show the effect within the metrics interval, even if the loop must wake up for
    /// this.
    var isOfNote: Bool {
        switch self {
        case .record, .state, .receiver: true
        case .arm, .cancel, .decided, .refused, .motionSensor, .correctTimestamps, .scan, .uploads, .deliver,
            .queueRules, .fetchRegions, .light, .halt, .recover:
            false
        }
    }
}
