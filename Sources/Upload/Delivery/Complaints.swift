/// Tells each trouble once, and its end.
struct Complaints: Sendable, Hashable {
    private var ofTarget: UploadReport.News?
    private var ofQueue: String?

    /// The report, unless it is the one that was made last.
    mutating func target(_ news: UploadReport.News) -> [Delivery.Effect] {
        guard news != ofTarget else { return [] }
        ofTarget = news
        return [.report(news)]
    }

    /// The end of the target's trouble, if there was any.
    mutating func targetWorks(after failures: Int) -> [Delivery.Effect] {
        guard ofTarget != nil else { return [] }
        ofTarget = nil
        return [.report(.recovered(failures: failures))]
    }

    /// The report, unless it is the one that was made last.
    mutating func queue(_ reason: String) -> [Delivery.Effect] {
        guard reason != ofQueue else { return [] }
        ofQueue = reason
        return [.report(.queueFailing(reason: reason))]
    }

    mutating func queueWorks() { ofQueue = nil }
}
