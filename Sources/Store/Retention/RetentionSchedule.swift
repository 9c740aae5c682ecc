import GRDB
import Glibc
import Quantities

/// Enforces the limits after a commit, on a thread: at most once an hour, unless the limits change or a run fails.
struct RetentionSchedule {
    private struct Outcome: Sendable {
        let connection: FollowingConnection
        var hasFailed = false
    }

    var retention = Retention() {
        // New limits apply from the next commit on.
        didSet { if retention != oldValue { due = .boot } }
    }
    private var due = Instant.boot
    private var job: BackgroundJob<Outcome>?
    /// The next run uses the connection again.
    private var connection: FollowingConnection?
    private static let interval = Duration.seconds(3600)
    /// The pause between two steps (`RetentionSweep.removeSome`), in which other programs and threads can write.
    private static let pause_us: UInt32 = 10_000

    var isRunning: Bool { job?.isPending ?? false }

    mutating func start(path: String, alarm: QueueAlarm, at reading: ClockReading) {
        guard !isRunning, retention.isLimited, reading.now >= due else { return }
        due = reading.now + Self.interval
        let retention = retention
        let kept = connection ?? FollowingConnection(path: path, alarm: alarm)
        connection = nil
        job = BackgroundJob(ringing: alarm) { isCancelled in
            // A power cut may undo a removal; then the next run removes these records again.
            var connection = kept
            defer { if isCancelled() { connection.close() } }
            do {
                let queue = try connection.database()
                var sweep = RetentionSweep(retention, at: reading, turn: alarm.turn)
                while try !isCancelled() && sweep.removeSome(queue) { usleep(Self.pause_us) }
                queue.releaseMemory()
                return Outcome(connection: connection)
            } catch {
                let error = error as? StoreError ?? StoreError(error, path: path, doing: .write)
                if alarm.showsDamage(error), let file = FileNumber(of: path) { alarm.reportDamage(in: file) }
                return Outcome(connection: connection, hasFailed: true)
            }
        }
    }

    /// True once after a run has ended; if it failed, the next commit starts another run.
    mutating func takeEnd() -> Bool {
        guard let outcome = job?.takeOutcome() else { return false }
        (job, connection) = (nil, outcome.connection)
        if outcome.hasFailed { due = .boot }
        return true
    }

    /// Gives up the run without waiting for its end.
    mutating func abandon() {
        _ = takeEnd()
        job?.abandon()
        end()
    }

    /// Ends the run; waits until the present step is complete.
    mutating func cancel() {
        _ = takeEnd()
        job?.cancel()
        end()
    }

    private mutating func end() {
        connection?.close()
        (job, connection, due) = (nil, nil, .boot)
    }
}
