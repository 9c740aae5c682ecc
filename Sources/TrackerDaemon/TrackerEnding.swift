import Store
import Tracking

extension Tracker {
    /// Why the tracker ended.
    package enum Ending: Sendable, Hashable {
        /// A signal asked the program to end.
        case signal
        /// The time until which the tracker had to run is over.
        case time
        /// A request asked for a restart of the program.
        case restart
    }
}

/// The program ended although it could not write some records to the database.
package struct LostRecords: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of lost records, which were only in memory.
    package let count: Int

    /// What happened.
    package var description: String {
        "queue: trackerd lost \(count) \(count == 1 ? "record" : "records"), because the database did not accept them. Correct the database fault that the log reports."
    }
}
