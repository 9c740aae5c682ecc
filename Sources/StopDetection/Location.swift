public import Quantities

/// A position with its time and its accuracy.
public struct Location: Sendable, Hashable, Codable {
    /// The time, in UTC.
    public let time: Timestamp
    public let coordinate: Coordinate
    /// Horizontal error, with a confidence of 68 %; nil if the error is unknown.
    public let accuracy: Metres?
    /// The speed that the receiver measured; nil if the speed is unknown.
    public let speed: MetresPerSecond?

    public init(time: Timestamp, coordinate: Coordinate, accuracy: Metres? = nil, speed: MetresPerSecond? = nil) {
        self.time = time
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.speed = speed
    }
}
