/// The meaning of the server's answer for the records in the request.
package enum Verdict: Sendable, Hashable {
    case delivered
    /// trackerd never sends the records to this target.
    ///
    /// Either the format of the target cannot express them, or the target needs only the last state and a newer
    /// position exists.
    case withheld
    /// trackerd ended the connection itself before it delivered the records; the server is not at fault.
    case postponed
    /// The network did not carry the records or the answer.
    ///
    /// For example, the name has no address, no server accepts the connection, or the connection breaks.
    case linkFailed(reason: String)
    case timedOut(reason: String)
    /// The server did not accept the records, for a reason that may be temporary; `after` is the pause that the server
    /// requests.
    case retry(reason: String, after: Duration?)
    /// The server refuses these bytes, but may accept other bytes; the reason may quote the server.
    case refused(reason: String)
    /// The format cannot encode the records, so trackerd has not sent them.
    case unwritable(reason: String)
    /// The server rejects the user, or trackerd cannot read a secret of the target.
    case unauthorised(reason: String)

    /// The same verdict with the name of what was under way when the connection ended.
    package func during(_ words: String) -> Verdict {
        switch self {
        case .linkFailed(let reason): .linkFailed(reason: "\(reason), during \(words)")
        case .timedOut(let reason): .timedOut(reason: "\(reason), after \(words)")
        case .retry(let reason, let after): .retry(reason: "\(reason), during \(words)", after: after)
        default: self
        }
    }

    /// Why the records were not delivered; nil if the server has received them, or if trackerd itself kept them back.
    package var reason: String? {
        switch self {
        case .delivered, .withheld, .postponed: nil
        case .linkFailed(let reason), .timedOut(let reason), .retry(let reason, _), .refused(let reason),
            .unwritable(let reason), .unauthorised(let reason):
            reason
        }
    }

    /// The pause that the server requests; nil if it requests none.
    package var requestedPause: Duration? { if case .retry(_, let after) = self { after } else { nil } }
}
