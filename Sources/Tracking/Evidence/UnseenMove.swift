import Quantities

/// Distinguishes a vehicle that was carried, or driven while the tracker was off, from one whose departure was noticed a
/// little late. Neither a trip nor the odometer counts such a move: the next trip begins where a fix found the vehicle.
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

    /// When the vehicle last counted as parked: at a fix, or at the end of a position check, even without a fix.
    private var lastLook: Instant
    /// True from a start of the program or of tracking until a fix shows the vehicle parked, or the first check ends.
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

    /// Since when the vehicle may be driving: if an accelerometer can feel a start (`canFeel`), since `motionBegan`, or now
    /// if that is nil. Otherwise, and while `isNew`, since the vehicle last counted as parked.
    func mayDrive(since motionBegan: Instant?, canFeel: Bool, at now: Instant) -> Instant {
        canFeel && !isNew ? motionBegan ?? now : lastLook
    }
}
