import GRDB

/// The numbers of removed records that the queue must still report, or whose report waits for the next commit.
struct LossAccount {
    /// Whether the file may contain numbers of removed records that no record has reported yet.
    private var mayHaveLoss = false
    /// The numbers of records that were removed from memory before a commit, and that `takeFromMemory` has not
    /// returned.
    private var memory = Retention.Loss()
    /// The numbers of removed records that the next commit marks as reported.
    private(set) var reported = Retention.Loss()

    /// Notes that another file is open, or that a thread has removed records.
    mutating func fileChanged() { mayHaveLoss = true }

    /// Notes a commit, and the numbers of records that were removed from memory before it.
    mutating func committed(_ loss: Retention.Loss) {
        reported = Retention.Loss()
        memory = memory + loss
    }

    /// Returns the numbers of records that were removed from the file and not returned before.
    ///
    /// Returns nil if there are none, if the file is unavailable, or while an earlier report waits for its commit.
    mutating func take(from database: DatabaseQueue?) -> Retention.Loss? {
        guard mayHaveLoss, reported == Retention.Loss(), let database else { return nil }
        mayHaveLoss = false
        guard let unreported = try? database.read(RemovedRecords.unreported) else { return nil }
        return note(unreported - memory)
    }

    /// Returns the numbers of records that were removed from memory and not returned before; nil if there are none.
    mutating func takeFromMemory() -> Retention.Loss? {
        defer { memory = Retention.Loss() }
        return note(memory)
    }

    private mutating func note(_ loss: Retention.Loss) -> Retention.Loss? {
        reported = reported + loss
        return loss == Retention.Loss() ? nil : loss
    }
}
