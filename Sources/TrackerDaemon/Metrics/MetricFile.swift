import Configuration
import Glibc
import Logging
import Quantities
import Tracking

/// Decides when to write the Prometheus textfile, and replaces the whole file each time. The file is written at
/// most once per `interval`: when the daemon is awake for another reason, or by a timer if a value has changed since the
/// last write. A position check postpones the write by at most `interval`, because another write would be needed when
/// the check ends.
struct MetricFile {
    private let path: String
    private let interval: Duration
    private let log: Logger
    private var writtenAt: Instant?
    /// Whether a change since the last write must reach the file within `interval`.
    private var hasChanged = false
    /// When the present short state, such as a position check, began; nil in other states.
    private var passingSince: Instant?
    /// Why the last write failed; nil if it succeeded.
    private var fault: String?

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

    mutating func noteChange() { hasChanged = true }

    /// Writes the file if this is due; while `isPassing` is true, the write waits, but at most `interval`.
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

    /// Replaces the file in one step, so that a reader gets the former or the new one; returns why this failed.
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

/// Writes metrics in Prometheus' text format, version 0.0.4.
enum MetricText {
    static func write(_ values: MetricValues, metrics: [Metric] = Metrics.all) -> String {
        metrics.map { metric in
            let samples = metric.samples(values).filter(\.value.isFinite)
            guard !samples.isEmpty else { return "" }
            return """
                # HELP \(metric.name) \(escaped(metric.help)).
                # TYPE \(metric.name) \(metric.kind.rawValue)

                """ + samples.map { line(of: metric, $0) }.joined()
        }.joined()
    }

    private static func line(of metric: Metric, _ sample: Metric.Sample) -> String {
        let labels = sample.labels.map { #"\#($0.name)="\#(escaped($0.value, quotes: true))""# }
        let braces = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
        return "\(metric.name)\(sample.suffix)\(braces) \(NumberText.write(sample.value))\n"
    }

    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
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
