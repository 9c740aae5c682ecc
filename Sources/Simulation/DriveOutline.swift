import Quantities

/// What a timeline has to know of a drive while that is not in memory.
struct DriveOutline: Sendable {
    /// How long it lasts.
    let length: Duration
    /// When the receiver reported first; nothing when it never did.
    let firstFix: Duration?

    init(_ drive: Drive) {
        length = drive.length
        firstFix = drive.fixes.first?.time
    }
}
