import Quantities

/// Distinguishes a vehicle that was carried, or driven while the tracker was off, from one that drove off a little before it was
/// noticed. No trip and no odometer counts such a move: the next trip begins where a fix found the vehicle.
enum UnseenMove {
    /// No receiver drifts this far.
    private static let shortest = Metres(250)

    /// Nil if the vehicle may have driven from `parked` to the fix since `moment`.
    static func distance(
        to fix: AcceptedFix, from parked: Position?, since moment: Instant, at now: Instant
    ) -> Metres? {
        guard let parked else { return nil }
        let driven = Metres(max(.zero, now - moment).inSeconds * Fix.fastestStart.value)
        guard fix.position.isProvablyAway(from: parked, by: shortest + driven) else { return nil }
        return parked.coordinate.distance(to: fix.coordinate)
    }
}

/// Remembers until when the vehicle was certainly parked.
struct ParkedWatch: Sendable {
    /// The longest time from the supply's return, which the ignition may cause, to the start of the program.
    private static let bootTime = Duration.seconds(60)

    /// When the last position check ended, with or without a fix.
    private var lastLook: Instant
    /// True if no check has ended since the program or tracking started.
    private(set) var isNew = false
    /// False if silence ended the trip and no fix has shown the vehicle parked since, so it may be driving.
    private var isParked = true

    /// `isSeen` is false if only `silence` of the receiver ended the trip.
    init(after silence: Duration, isSeen: Bool, at now: Instant) {
        lastLook = isSeen ? now : now - silence
        isParked = isSeen
    }

    init(startedAt now: Instant) {
        lastLook = now - Self.bootTime
        isNew = true
    }

    /// `isSeen` is true if a fix has shown the vehicle parked.
    mutating func look(isSeen: Bool, at now: Instant) {
        isParked = isParked || isSeen
        isNew = false
        if isParked { lastLook = now }
    }

    /// Since when the vehicle may be driving. `motionBegan` is nil if an accelerometer feels no motion.
    func mayDrive(since motionBegan: Instant?, canFeel: Bool, at now: Instant) -> Instant {
        canFeel && !isNew ? motionBegan ?? now : lastLook
    }
}
