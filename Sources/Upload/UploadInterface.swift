//  What the upload thread needs from the daemon, and what it reports to it.

package import Quantities

/// The clocks that the upload reads.
package struct UploadClocks: Sendable {
    /// Time since boot.
    package let now: @Sendable () -> Instant
    /// UTC, as the system clock has it.
    package let utc: @Sendable () -> Timestamp

    /// Takes the two clocks.
    package init(now: @escaping @Sendable () -> Instant, utc: @escaping @Sendable () -> Timestamp) {
        self.now = now
        self.utc = utc
    }
}

/// An event at a target that its owner may want to know about.
package struct UploadReport: Sendable, Hashable {
    /// What happened.
    package enum Event: Sendable, Hashable {
        /// Records were delivered; `withheld` of them have no form in the target's format and were not sent.
        case delivered(count: Int, withheld: Int)
        /// Uploads fail for this reason, which may quote the server; reported once, not for each attempt.
        case failing(reason: String)
        /// Uploads work again, after this number of failed attempts.
        case recovered(failures: Int)
        /// The server rejects the user; the upload tries again hourly.
        case unauthorised(reason: String)
        /// The server refused this record and accepted others; it was set aside. The reason quotes the server.
        case setAside(sequence: Int64, reason: String)
        /// Records that cannot be sent to any server were set aside.
        case unsendable(sequences: [Int64], reason: String)
        /// The target will not get this number of records, as its `replay` rule demands.
        case passedOver(count: Int)
        /// The queue cannot be read or written; reported once for each reason.
        case queueFailing(reason: String)
    }

    /// The target's name.
    package let target: String
    /// What happened.
    package let event: Event

    /// Makes a report.
    package init(target: String, event: Event) {
        self.target = target
        self.event = event
    }
}
