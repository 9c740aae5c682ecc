package import Quantities

/// What survives a restart; written in one transaction with each record.
package struct EngineState: Sendable, Hashable, Codable {
    /// The last point that was recorded.
    package struct Recorded: Sendable, Hashable, Codable {
        /// Where.
        package var coordinate: Coordinate
        /// When.
        package var time: Timestamp
    }

    /// Whether the vehicle moves.
    package var isMoving = false
    /// Where it was parked last; nothing before the first good fix.
    package var parked: Position?
    /// The last fix that was believed.
    package var lastFix: AcceptedFix?
    /// The last point that was recorded.
    package var lastRecorded: Recorded?
    /// Trips begun so far.
    package var trips = 0
    /// Metres driven.
    package var odometer = Odometer()

    /// Makes the state of a tracker that has never run.
    package init() {}
}
