extension Check {
    /// Whether records can be dated.
    static let clock = Check("clock") { facts in
        guard let clock = facts.clock else { return [] }
        switch (clock.isSynchronised, clock.hasTimeOfFix) {
        case (true, _): return [.ok("the clock is set by a time server or by GPS.")]
        case (false, true): return [.ok("the clock is not set, and the receiver tells the time.")]
        case (false, false):
            return [
                .warning(
                    "the clock is not set, and no fix has told the time; records are dated when one does.",
                    "Connect to a network, wait for a fix, or fit a real-time clock.")
            ]
        }
    }
}
