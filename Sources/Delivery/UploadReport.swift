package import Formats

package struct UploadReport: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// `withheld` is the number of records not sent: the format or filter excludes them, or a newer state replaces
        /// them.
        case delivered(count: Int, withheld: Int)
        /// Reported once, not for each attempt; the reason may quote the server.
        case failing(reason: String)
        case recovered(failures: Int)
        /// The failures since the last report; `isFailing` is true if uploads fail now.
        case unsteady(failures: Int, reason: String, isFailing: Bool)
        /// The server rejects the user, or a secret cannot be read. In the end trackerd tries once an hour.
        case unauthorised(reason: String)
        /// The target accepted other records; the reason may quote the server.
        case setAside(sequence: Int64, reason: String)
        /// These records cannot be read or encoded.
        case unsendable(sequences: [Int64], reason: String)
        /// The `replay` rule excludes these records.
        case passedOver(count: Int)
        /// A notice about a server; uploads to it may succeed.
        case notice(String)
        /// Nothing is sent although the server may work; a nil reason means that uploads continue. `needsOwner` is
        /// false if only the present network is the reason.
        case held(reason: String?, needsOwner: Bool = false)
        /// `count` is the number of refused orders since the last report.
        case ordersRefused(count: Int, reason: String)
        /// Reported once, not for each attempt.
        case queueFailing(reason: String)
    }

    package let target: String
    package let event: Event

    package init(target: String, event: Event) {
        self.target = target
        self.event = event
    }
}

/// Uploads to one target since the program started; an upload is a payload of one or more records.
package struct UploadCounts: Sendable, Hashable {
    package private(set) var accepted = 0
    /// Includes payloads that were not sent because the connection or an earlier payload failed.
    package private(set) var failed = 0
    package private(set) var records = 0

    package init() {}

    /// Ignores records that were not encoded, and payloads that trackerd interrupted.
    package mutating func note(_ verdict: Verdict) {
        switch verdict {
        case .delivered: accepted += 1
        case .linkFailed, .timedOut, .retry, .refused, .unauthorised: failed += 1
        case .withheld, .postponed, .unwritable: break
        }
    }

    package mutating func note(records count: Int) { records += count }
}
