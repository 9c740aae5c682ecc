/// What the server's answer means for the records that were sent.
package enum Verdict: Sendable, Hashable {
    /// The server has them.
    case delivered
    /// The format has no words for them; nothing was sent, and nothing is owed.
    case withheld
    /// Not delivered, for a reason that may pass; `after` is how long the server asked to be left alone.
    case retry(reason: String, after: Duration?)
    /// The server does not take these bytes, while it may take others; the reason may quote the server.
    case refused(reason: String)
    /// The format cannot write the records down; nothing was sent.
    case unwritable(reason: String)
    /// The server does not take anything from this user.
    case unauthorised(reason: String)
}
