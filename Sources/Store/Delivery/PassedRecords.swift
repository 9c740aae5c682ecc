import GRDB

/// The records that a target no longer needs (`DeliveryQueue.passOver`), although the table does not contain this yet, because the
/// disk accepts no data.
struct PassedRecords: Hashable {
    /// The number up to which the target needs no record; the lowest number if there is none.
    private(set) var last = Int64.min
    /// The number up to which the target needs only stops; the lowest number if there is none.
    private(set) var lastExceptStops = Int64.min

    /// Adds the records up to a number; if `keepingStops` is true, stops remain.
    mutating func add(through sequence: Int64, keepingStops: Bool) {
        if keepingStops {
            lastExceptStops = max(lastExceptStops, sequence)
        } else {
            last = max(last, sequence)
        }
    }

    /// The SQL condition for rows of the table `record` that are not passed.
    static let isNotPassed = "sequence > :passed AND (sequence > :passedExceptStops OR is_stop = 1)"

    /// The values in `isNotPassed`.
    var arguments: StatementArguments { ["passed": last, "passedExceptStops": lastExceptStops] }
}
