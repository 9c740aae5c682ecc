package import Formats

package struct UploadReport: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// `withheld` were not sent: the format or filter excludes them, or a newer state replaces them.
        case delivered(count: Int, withheld: Int)
        /// Once, not for each attempt; may quote the server.
        case failing(reason: String)
        case recovered(failures: Int)
        /// Since the last report; `isFailing` if uploads fail now.
        case unsteady(failures: Int, reason: String, isFailing: Bool)
        /// The server rejects the user, or a secret cannot be read; in the end trackerd tries hourly.
        case unauthorised(reason: String)
        /// The target accepted other records; the reason may quote the server.
        case setAside(sequence: Int64, reason: String)
        /// These records cannot be read or encoded.
        case unsendable(sequences: [Int64], reason: String)
        /// The `replay` rule excludes these records.
        case passedOver(count: Int)
        /// About a server whose uploads may succeed.
        case notice(String)
        /// Nothing is sent although the server may work; nil: uploads continue. `needsOwner` is false for the present network.
        case held(reason: String?, needsOwner: Bool = false)
        /// Since the last report.
        case ordersRefused(count: Int, reason: String)
        /// Once, not for each attempt.
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
    /// Includes payloads that waited behind a failed one over HTTP.
    package private(set) var failed = 0
    package private(set) var records = 0

    package init() {}

    /// Does not count payloads that were not sent, or that trackerd interrupted.
    package mutating func note(_ verdict: Verdict) {
        switch verdict {
        case .delivered: accepted += 1
        case .linkFailed, .timedOut, .retry, .refused, .unauthorised: failed += 1
        case .withheld, .postponed, .unwritable: break
        }
    }

    package mutating func note(records count: Int) { records += count }
}
