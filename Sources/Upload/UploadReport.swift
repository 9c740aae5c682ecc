/// Something about a target that its owner may want to know.
package struct UploadReport: Sendable, Hashable {
    /// What happened.
    package enum News: Sendable, Hashable {
        /// Records were delivered; `withheld` of them the format has no words for, and nothing was sent.
        case delivered(count: Int, withheld: Int)
        /// Nothing gets through for this reason, which may quote the server; told once, not at each attempt.
        case failing(reason: String)
        /// Something gets through again, after this many attempts that did not.
        case recovered(failures: Int)
        /// The server does not take anything from this user; tried again hourly.
        case unauthorised(reason: String)
        /// The server has refused this record, and taken others; it was set aside. The reason quotes the server.
        case setAside(sequence: Int64, reason: String)
        /// Records were set aside that cannot be sent to any server.
        case unsendable(sequences: [Int64], reason: String)
        /// So many records do not go to the target any more, as its rule for replay wants it.
        case passedOver(count: Int)
        /// The queue cannot be read or written; told once for a reason.
        case queueFailing(reason: String)
    }

    /// The target's name.
    package let target: String
    /// What happened.
    package let news: News

    /// Makes a report.
    package init(target: String, news: News) {
        self.target = target
        self.news = news
    }
}
