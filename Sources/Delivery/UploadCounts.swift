package import Formats

/// The uploads to one target since the program started; an upload is one payload with one or more records.
package struct UploadCounts: Sendable, Hashable {
    /// The uploads that the server has accepted.
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

    /// Counts received records.
    package mutating func note(records count: Int) { records += count }
}
