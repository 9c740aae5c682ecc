import GRDB

/// A connection for writing, which opens the new file after a replacement; copies of this value share an open
/// connection.
struct FollowingConnection: Sendable {
    private let path: String
    private let alarm: QueueAlarm?
    private let patience: Double
    private var opened: (database: DatabaseQueue, file: FileNumber?)?

    /// Without an alarm, each opening waits at most `patience` seconds for another program. With one, it waits as
    /// `WriteTurn.open` does, and opens only the file that the queue has opened. Until the queue has moved the former
    /// log away, SQLite would apply it to any other file at this path.
    init(path: String, alarm: QueueAlarm?, patience: Double = Database.startPatience_s) {
        self.path = path
        self.alarm = alarm
        self.patience = patience
    }

    var file: FileNumber? { opened?.file }

    mutating func database() throws(StoreError) -> DatabaseQueue {
        let file = FileNumber(of: path)
        if let opened, opened.file == file { return opened.database }
        // Only the queue may create the file.
        guard let file, alarm?.permitsOpening(file) ?? true else { throw StoreError.notOpen(path) }
        close()
        let database =
            if let alarm { try alarm.turn.open(path) } else { try Database.open(path, .unsynced, patience: patience) }
        // If another thread has replaced the file since the check above, the next call opens the new file.
        guard FileNumber(of: path) == file else {
            Database.close(database)
            throw StoreError.notOpen(path)
        }
        opened = (database, file)
        return database
    }

    mutating func close(emptyingLog: Bool = false) {
        if let opened { Database.close(opened.database, emptyingLog: emptyingLog) }
        opened = nil
    }
}
