public import Quantities

/// A place at a time, and how well it is known.
public struct Location: Sendable, Hashable, Codable {
    /// UTC at which somebody or something was there.
    public let time: Timestamp
    /// Where.
    public let coordinate: Coordinate
    /// Horizontal error, 68 %; nothing when it is unknown.
    public let accuracy: Metres?

    /// Names a place at a time.
    public init(time: Timestamp, coordinate: Coordinate, accuracy: Metres? = nil) {
        self.time = time
        self.coordinate = coordinate
        self.accuracy = accuracy
    }

    /// Takes time and place out of a fix.
    init(_ fix: AcceptedFix) {
        self.init(time: fix.time, coordinate: fix.coordinate, accuracy: fix.position.accuracy)
    }
}
