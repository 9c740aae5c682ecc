/// The program ended although it could not write some records to the database.
package struct LostRecords: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of lost records, which were only in memory.
    package let count: Int

    /// What happened.
    package var description: String {
        "queue: trackerd lost \(count) \(count == 1 ? "record" : "records"), because the database did not accept them. Correct the database fault that the log reports."
    }
}
