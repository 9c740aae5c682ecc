package import Formats

/// An event at a target that may interest its owner.
package struct UploadReport: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// The delivery of `count` records is complete; trackerd did not send `withheld` of them.
        ///
        /// The format or the filter of the target excludes the records that trackerd did not send, or a newer state
        /// replaces them.
        case delivered(count: Int, withheld: Int)
        /// Uploads fail for this reason, which may quote the server; the thread reports the reason once, not for each
        /// attempt.
        case failing(reason: String)
        /// Uploads are successful again, after this number of failed attempts.
        case recovered(failures: Int)
        /// The fault began or changed this number of times since the last report; `reason` is the last reason.
        ///
        /// `isFailing` is true if uploads fail now, and false if they are successful again.
        case unsteady(failures: Int, reason: String, isFailing: Bool)
        /// The server rejects the user, or a secret cannot be read; if this goes on, the upload thread tries again hourly.
        case unauthorised(reason: String)
        /// The server did not accept this record but accepted others, so trackerd set the record aside.
        ///
        /// The reason may quote the server.
        case setAside(sequence: Int64, reason: String)
        /// trackerd has set records aside, because it cannot read or encode them.
        case unsendable(sequences: [Int64], reason: String)
        /// The target will not receive this number of records, because its `replay` rule excludes them.
        case passedOver(count: Int)
        /// This sentence about the server may interest the owner, even if uploads succeed.
        case notice(String)
        /// trackerd sends no records to the target for this reason, although the server may work; nil means that uploads continue.
        ///
        /// `needsOwner` is false if the reason is the network that the vehicle has at present.
        case held(reason: String?, needsOwner: Bool = false)
        /// trackerd refused this number of orders of the server since the last report; `reason` is the last reason.
        case ordersRefused(count: Int, reason: String)
        /// The queue cannot be read or written; the thread reports the reason once, not for each attempt.
        case queueFailing(reason: String)
    }

    /// The target's name.
    package let target: String
    package let event: Event

    package init(target: String, event: Event) {
        self.target = target
        self.event = event
    }
}

/// The uploads to one target since the program started; an upload is one payload with one or more records.
package struct UploadCounts: Sendable, Hashable {
    package private(set) var accepted = 0
    /// The uploads that failed, or that the server refused.
    ///
    /// If an upload over HTTP fails, the uploads that wait behind it fail too. This number includes them.
    package private(set) var failed = 0
    /// The records that the server has received.
    package private(set) var records = 0

    package init() {}

    /// Counts the verdict on an upload; ignores records that trackerd did not send, and uploads that it interrupted
    /// itself.
    package mutating func note(_ verdict: Verdict) {
        switch verdict {
        case .delivered: accepted += 1
        case .linkFailed, .timedOut, .retry, .refused, .unauthorised: failed += 1
        case .withheld, .postponed, .unwritable: break
        }
    }

    package mutating func note(records count: Int) { records += count }
}
