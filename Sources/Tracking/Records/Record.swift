package import Quantities

/// Something worth keeping: it is on disk before anything else happens with it, and uploaded afterwards.
package struct Record: Sendable, Hashable, Codable {
    /// What the record tells, with what belongs to that alone.
    package enum Content: Sendable, Hashable, Codable {
        /// A point of the track.
        case location
        /// The vehicle went from one state to the other; `isMoving` says to which, the place is where that happened.
        case motionchange
        /// A stay began or ended.
        case visit(Visit)
        /// A region or a beacon was entered or left.
        case transition(Transition)
        /// A waypoint was set or changed.
        case waypoint(Waypoint)
        /// A trip began or ended.
        case trip(TripReport)
        /// The answer to a request for a location.
        case request(RequestAnswer)
        /// A sign of life.
        case ping
        /// The receiver was lost or found.
        case providerchange(ProviderChange)
        /// The supply, or the program itself, went or came.
        case power(PowerChange)
        /// The options changed, or a change was refused.
        case optionschange(OptionsChange)
        /// Something about the way of driving.
        case driving(DrivingEvent)
    }

    /// What asked for a point of the track, unless the rules of sampling did.
    package enum Trigger: String, Sendable, Hashable, Codable {
        /// A region was entered or left.
        case region
        /// A beacon was.
        case beacon
        /// A circle that moves along was left.
        case follow
    }

    /// The name of what the record tells.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case location, motionchange, visit, transition, waypoint, trip, request, ping, providerchange, power
        case optionschange, driving

        /// Whether the record must survive a power cut by itself, and not with the next group.
        package var isEvent: Bool { self != .location }
    }

    /// What the record tells.
    package var content: Content
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
    /// The tag in force, such as that of tracking outside the schedule.
    package var tag: String?
    /// The vehicle that a beacon named.
    package var vehicle: String?
    /// The driver that a beacon named.
    package var driver: String?
    /// The regions that the vehicle is in.
    package var regions: [RegionName]?
    /// What asked for it.
    package var trigger: Trigger?
    /// Whether `sync` or `monitoring` keeps it on the device.
    package var isWithheld: Bool?

    /// Makes a record.
    package init(
        _ content: Content, time: Timestamp, isTimeTrusted: Bool, position: Position?, isMoving: Bool,
        odometer: Metres, trip: Int?
    ) {
        self.content = content
        self.time = time
        self.isTimeTrusted = isTimeTrusted
        self.position = position
        self.isMoving = isMoving
        self.odometer = odometer
        self.trip = trip
    }

    /// The name of what it tells.
    package var kind: Kind {
        switch content {
        case .location: .location
        case .motionchange: .motionchange
        case .visit: .visit
        case .transition: .transition
        case .waypoint: .waypoint
        case .trip: .trip
        case .request: .request
        case .ping: .ping
        case .providerchange: .providerchange
        case .power: .power
        case .optionschange: .optionschange
        case .driving: .driving
        }
    }

    /// Whether it tells of a stop.
    package var isStop: Bool {
        switch content {
        case .motionchange: !isMoving
        case .visit(let visit): visit.departed == nil
        case .trip(let report): report.summary != nil
        case .location, .transition, .waypoint, .request, .ping, .providerchange, .power, .optionschange, .driving:
            false
        }
    }
}
