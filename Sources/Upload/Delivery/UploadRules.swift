package import TrackingOptions

/// The options in force that apply to every target; a command, a mode, a trip or a server may change them at any time.
package struct UploadRules: Sendable, Hashable {
    /// The shortest time between the beginnings of two uploads, to the millisecond.
    package let syncInterval: Duration
    /// The records that trackerd delivers later if it could not deliver them at once.
    package let replay: ReplayRule

    /// Makes rules.
    package init(syncInterval: Duration, replay: ReplayRule) {
        self.syncInterval = syncInterval
        self.replay = replay
    }

    /// Reads rules from the number that the other thread has stored; nil if it has stored none.
    init?(stored word: UInt64) {
        guard word > 0 else { return nil }
        let (milliseconds, rule) = (word - 1).quotientAndRemainder(dividingBy: Self.ruleCount)
        syncInterval = .milliseconds(Int64(clamping: milliseconds))
        replay = ReplayRule.allCases[Int(rule)]
    }

    /// Both values in one number above 0, which a thread can replace without a lock.
    var stored: UInt64 {
        let milliseconds = UInt64(max(0, syncInterval / .milliseconds(1)))
        return milliseconds * Self.ruleCount + UInt64(ReplayRule.allCases.firstIndex(of: replay) ?? 0) + 1
    }

    private static let ruleCount = UInt64(ReplayRule.allCases.count)
}
