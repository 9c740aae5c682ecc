import Control
import Store

/// The loop's connections to the database file, beside the queue's own; each opens at its first use, because most runs of the
/// program never use it.
struct Tables {
    private let open: (() throws -> SetAsideTable)?
    private var queue: SetAsideTable?
    private var trips: TripTable?
    private var history: History?

    /// - `open`: opens the list of set-aside records; nil if the program has no queue on disk.
    init(_ open: (() throws -> SetAsideTable)?) { self.open = open }

    /// Returns the list of set-aside records; nil if the program has no queue on disk.
    mutating func queueIfAny() throws -> SetAsideTable? {
        if queue == nil { queue = try open?() }
        return queue
    }

    /// Returns the list of set-aside records.
    mutating func presentQueue() throws -> SetAsideTable {
        guard let queue = try queueIfAny() else { throw Self.missing }
        return queue
    }

    /// Returns the names and records of trips.
    mutating func presentTrips() throws -> TripTable {
        let table = try trips ?? TripTable(beside: presentQueue())
        trips = table
        return table
    }

    /// Returns the history for clients.
    mutating func presentHistory() throws -> History {
        let opened = try history ?? History(forLoop: presentQueue().path)
        history = opened
        return opened
    }

    /// Closes the connections, because another file has replaced the database.
    mutating func close() {
        queue?.close()
        trips?.close()
        history?.close()
        (queue, trips, history) = (nil, nil, nil)
    }

    private static let missing = ControlError("this program has no queue on disk.")
}
