/// What became of the records in a request.
package enum Verdict: Sendable, Hashable {
    case delivered
    /// The records are never sent: the format cannot express them, or only the last state counts and a newer position
    /// exists.
    case withheld
    /// trackerd itself ended the connection before there was an answer.
    case postponed
    /// The name has no address, no server answers there, or the connection broke.
    case linkFailed(reason: String)
    case timedOut(reason: String)
    /// The failure may be temporary; `after` is the pause that the server asks for.
    case retry(reason: String, after: Duration?)
    /// The server refuses these bytes, but may accept others; the reason may quote the server.
    case refused(reason: String)
    /// The records cannot be encoded, so they were not sent.
    case unwritable(reason: String)
    /// The server rejects the user, or a secret of the target cannot be read.
    case unauthorised(reason: String)

    /// Returns the verdict with what was under way when the connection ended.
    package func during(_ words: String) -> Verdict {
        switch self {
        case .linkFailed(let reason): .linkFailed(reason: "\(reason), during \(words)")
        case .timedOut(let reason): .timedOut(reason: "\(reason), after \(words)")
        case .retry(let reason, let after): .retry(reason: "\(reason), during \(words)", after: after)
        default: self
        }
    }

    /// Nil if the verdict is no failure.
    package var reason: String? {
        switch self {
        case .delivered, .withheld, .postponed: nil
        case .linkFailed(let reason), .timedOut(let reason), .retry(let reason, _), .refused(let reason),
            .unwritable(let reason), .unauthorised(let reason):
            reason
        }
    }

    package var requestedPause: Duration? { if case .retry(_, let after) = self { after } else { nil } }
}
