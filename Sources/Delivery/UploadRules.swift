package import TrackingOptions

/// The options that apply to every target now; a command, a mode, a trip or a server may change them at any time.
///
/// A target's own `replay` rule overrides `replay`.
package struct UploadRules: Sendable, Hashable {
    /// The shortest time between the beginnings of two uploads, to the millisecond.
    package let syncInterval: Duration
    /// The records that trackerd delivers later if it could not deliver them at once.
    package let replay: ReplayRule

    package init(syncInterval: Duration, replay: ReplayRule) {
        self.syncInterval = syncInterval
        self.replay = replay
    }

    /// Reads rules from the stored number; nil if no rules are stored.
    package init?(stored word: UInt64) {
        guard word > 0 else { return nil }
        let (milliseconds, rule) = (word - 1).quotientAndRemainder(dividingBy: Self.ruleCount)
        syncInterval = .milliseconds(Int64(clamping: milliseconds))
        replay = ReplayRule.allCases[Int(rule)]
    }

    /// Both values as one number above 0; a thread can replace this number without a lock.
    package var stored: UInt64 {
        let milliseconds = UInt64(max(0, syncInterval / .milliseconds(1)))
        return milliseconds * Self.ruleCount + UInt64(ReplayRule.allCases.firstIndex(of: replay) ?? 0) + 1
    }

    private static let ruleCount = UInt64(ReplayRule.allCases.count)
}
