/// Why a report of the receiver was not used.
package enum Refusal: String, Sendable, Hashable, CaseIterable, Codable {
    /// The receiver has no two-dimensional position, or no time.
    case noFix
    /// The horizontal error is above `accuracyLimit`.
    case inaccurate
    /// The horizontal error is unknown and fewer than 4 satellites are used.
    case unknownAccuracy
    /// Not newer than the last one.
    case notNewer
    /// Later than the last one by more than the time between them.
    case timeStep
    /// Farther from the last place than any vehicle could have come.
    case jump
    /// Latitude and longitude are both 0, or one of them is exactly 0 far from the last place.
    case nullIsland
    /// A speed that no vehicle reaches.
    case tooFast
    /// Far from the last place after a pause, or the very first: it waits for a second one that agrees.
    case unconfirmed
    /// Dated before 2020, or before this program was written.
    case tooOld
    /// Dated later than the week numbers of GPS can tell: a receiver that has lost count.
    case tooNew
}
