package import Quantities

/// A stay at one place.
package struct Visit: Sendable, Hashable, Codable {
    /// When it began.
    package var arrived: Timestamp
    /// When it ended; nothing as long as it lasts.
    package var departed: Timestamp?

    /// Makes a stay.
    package init(arrived: Timestamp, departed: Timestamp? = nil) {
        self.arrived = arrived
        self.departed = departed
    }
}
