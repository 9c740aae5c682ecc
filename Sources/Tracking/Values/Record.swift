package import Quantities

/// Something worth keeping: it is on disk before anything else happens with it, and uploaded afterwards.
package struct Record: Sendable, Hashable, Codable {
    /// What the record tells.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// A point of the track.
        case location
        /// The vehicle went from one state to the other; `isMoving` says to which, the place is where that happened.
        case motionchange

        /// Whether the record must survive a power cut by itself, and not with the next group.
        package var isEvent: Bool {
            switch self {
            case .location: false
            case .motionchange: true
            }
        }
    }

    /// What the record tells.
    package var kind: Kind
    /// When it happened, in UTC.
    package var time: Timestamp
    /// Whether the clock that gave `time` was set by GPS or by a time server.
    package var isTimeTrusted: Bool
    /// Where it happened; nothing when no fix has ever been taken.
    package var position: Position?
    /// The state that the vehicle is in from here on.
    package var isMoving: Bool
    /// Metres of accepted movement since the odometer was set.
    package var odometer: Metres
    /// The trip that it belongs to, counted from 1; nothing before the first.
    package var trip: Int?

    /// Makes a record.
    package init(
        kind: Kind, time: Timestamp, isTimeTrusted: Bool, position: Position?, isMoving: Bool, odometer: Metres,
        trip: Int?
    ) {
        self.kind = kind
        self.time = time
        self.isTimeTrusted = isTimeTrusted
        self.position = position
        self.isMoving = isMoving
        self.odometer = odometer
        self.trip = trip
    }
}
