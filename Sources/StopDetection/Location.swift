public import Quantities

/// A position with its time and its accuracy.
public struct Location: Sendable, Hashable, Codable {
    /// In UTC.
    public let time: Timestamp
    public let coordinate: Coordinate
    /// Horizontal, with a confidence of 68 %; nil if unknown.
    public let accuracy: Metres?
    /// As the receiver measured it; nil if unknown.
    public let speed: MetresPerSecond?

    public init(time: Timestamp, coordinate: Coordinate, accuracy: Metres? = nil, speed: MetresPerSecond? = nil) {
        self.time = time
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.speed = speed
    }
}
