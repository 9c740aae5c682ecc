import Quantities

/// Distinguishes a vehicle that was carried, or driven while the tracker was off, from one that drove off a little before
/// the tracker noticed it.
///
/// No trip and no odometer counts such a move: the next trip begins where a fix found the vehicle.
enum UnseenMove {
    /// No receiver drifts this far.
    private static let shortest = Metres(250)

    /// Returns the distance of an unseen move; nil if the vehicle may have driven from `parked` to the fix since `moment`.
    static func distance(
        to fix: AcceptedFix, from parked: Position?, since moment: Instant, at now: Instant
    ) -> Metres? {
        guard let parked else { return nil }
        let driven = Metres(max(.zero, now - moment).inSeconds * Fix.fastestStart.value)
        guard fix.position.isProvablyAway(from: parked, by: shortest + driven) else { return nil }
        return parked.coordinate.distance(to: fix.coordinate)
    }
}

/// Until when the tracker knows that a parked vehicle has not been driven.
struct ParkedWatch: Sendable {
    /// The program starts at most this long after the supply, which the ignition may switch.
    private static let bootTime = Duration.seconds(60)

    /// When the last position check ended, with or without a fix.
    private var lastLook: Instant
    /// Whether no check has ended since the program or tracking started.
    private(set) var isNew = false
    /// Whether the vehicle is known to be parked; if not, it may drive where a check finds no fix.
    private var isParked = true

    /// Makes the watch after a trip; `isSeen` is false if only silence of the receiver for `silence` ended the trip.
    init(after silence: Duration, isSeen: Bool, at now: Instant) {
        lastLook = isSeen ? now : now - silence
        isParked = isSeen
    }

    /// Makes the watch when the program or tracking starts; nothing is known about the time before.
    init(startedAt now: Instant) {
        lastLook = now - Self.bootTime
        isNew = true
    }

    /// Notes that a check has ended; `isSeen` is true if a fix has shown the vehicle parked.
    mutating func look(isSeen: Bool, at now: Instant) {
        isParked = isParked || isSeen
        isNew = false
        if isParked { lastLook = now }
    }

    /// Returns since when the vehicle may have driven; `motionBegan` is nil if an accelerometer feels no motion.
    func mayDrive(since motionBegan: Instant?, canFeel: Bool, at now: Instant) -> Instant {
        canFeel && !isNew ? motionBegan ?? now : lastLook
    }
}
