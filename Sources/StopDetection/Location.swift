public import Quantities

/// A place at a time, and how well it is known.
public struct Location: Sendable, Hashable, Codable {
    /// When, in UTC.
    public let time: Timestamp
    /// Where.
    public let coordinate: Coordinate
    /// Horizontal error, 68 %; nil if unknown.
    public let accuracy: Metres?

    /// Names a place at a time.
    public init(time: Timestamp, coordinate: Coordinate, accuracy: Metres? = nil) {
        self.time = time
        self.coordinate = coordinate
        self.accuracy = accuracy
    }
}
