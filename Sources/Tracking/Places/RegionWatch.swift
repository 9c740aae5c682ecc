import Quantities

/// Believes that one region was entered or left: when it is certain, or when it was seen twice in a row.
struct RegionWatch: Sendable, Hashable {
    /// What one look told.
    struct Finding: Sendable, Hashable {
        /// On which side of the border the vehicle is.
        var isInside: Bool
        /// Whether it is on that side by more than the error.
        var isCertain: Bool
        /// When and where.
        var sight: Sight
    }

    /// What has come of a look.
    enum Verdict: Sendable, Hashable {
        case entered(Sight)
        case left(Sight, after: Duration?)
    }

    let id: String
    /// Position of the region in the table, which changes with that.
    var slot: Int
    private(set) var stay: RegionStay?
    /// Where the border was crossed according to a look that is not believed yet.
    private var doubt: Sight?
    private var changed: Timestamp?
    /// Whether a look since the start of the program has shown that the stay goes on.
    private var isConfirmed = false

    /// Watches a region that the vehicle is not in.
    init(outside id: String, slot: Int) {
        self.id = id
        self.slot = slot
    }

    /// Goes on with a stay that began before a restart.
    init(restoring stay: RegionStay, slot: Int) {
        id = stay.id
        self.slot = slot
        self.stay = stay
        changed = stay.entered
    }

    /// Takes a look into account; `crossing` finds out when and where the border was crossed, and is asked when needed.
    mutating func take(_ finding: Finding, holdDown: Duration, crossing: () -> Sight) -> Verdict? {
        guard finding.isInside != (stay != nil) else {
            doubt = nil
            isConfirmed = true
            return nil
        }
        let isRepeated = doubt != nil
        let crossed = doubt ?? crossing()
        doubt = crossed
        let now = finding.sight
        guard finding.isCertain || isRepeated, stay == nil || now.time - crossed.time >= holdDown else { return nil }
        // A change too soon after the last is not lost: the doubt stays, and the next look finds it again.
        return [crossed, now].first { isLateEnough($0.time) }.map { believe($0) }
    }

    /// Forgets a look that is not believed yet, because it was at another border.
    mutating func forgetDoubt() { doubt = nil }

    /// Whether the stay has lasted for `span` just now, for the first time.
    mutating func hasDwelt(for span: Duration?, at now: Timestamp) -> Bool {
        guard let due = dwellDue(after: span), now >= due else { return false }
        stay?.hasDwelt = true
        return true
    }

    /// When the stay will have lasted for `span`; nothing while it is doubtful, and when that has been told.
    func dwellDue(after span: Duration?) -> Timestamp? {
        guard let span, let stay, !stay.hasDwelt, isConfirmed, doubt == nil else { return nil }
        return stay.entered + span
    }

    /// When a change that has been seen but not told may be told.
    func changeDue(holdDown: Duration) -> Timestamp? {
        guard let doubt else { return nil }
        let held = stay == nil ? doubt.time : doubt.time + holdDown
        guard let changed, !isLateEnough(doubt.time) else { return held }
        return max(held, changed + Self.shortestInterval)
    }

    /// Whether there is nothing to remember about the region.
    func isIdle(at now: Timestamp) -> Bool {
        stay == nil && doubt == nil && (changed.map { (now - $0).magnitude >= Self.shortestInterval } ?? true)
    }

    private func isLateEnough(_ time: Timestamp) -> Bool {
        changed.map { (time - $0).magnitude >= Self.shortestInterval } ?? true
    }

    private mutating func believe(_ sight: Sight) -> Verdict {
        defer {
            doubt = nil
            changed = sight.time
            isConfirmed = true
        }
        guard let stay else {
            self.stay = RegionStay(id: id, entered: sight.time)
            return .entered(sight)
        }
        self.stay = nil
        // When it left while the program was down, or the clock was set back meanwhile, nobody knows how long it stayed.
        let lasted = sight.time - stay.entered
        return .left(sight, after: isConfirmed && lasted >= .zero ? lasted : nil)
    }

    /// At most one transition of a region in this time.
    private static let shortestInterval = Duration.seconds(10)
}
