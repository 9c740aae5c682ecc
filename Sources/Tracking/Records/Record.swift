package import Quantities
package import TrackingOptions

/// An event or a track point; the program first writes it to disk, and uploads it afterwards.
package struct Record: Sendable, Hashable, Codable {
    package enum Content: Sendable, Hashable, Codable {
        case location
        /// The vehicle started or stopped, or a fix first showed or corrected its place; `isMoving` is the new state,
        /// and `position` is where that state began.
        case motionchange
        case visit(Visit)
        case transition(Transition)
        case waypoint(Waypoint)
        case trip(TripReport)
        case request(RequestAnswer)
        /// A heartbeat while the vehicle is parked.
        case ping
        /// The receiver was lost or found, has no fix, cannot be switched, or is jammed.
        case providerchange(ProviderChange)
        /// The program started or ended, or the supply or the ignition changed.
        case power(PowerChange, start: StartReport? = nil)
        case health(HealthReport)
        case optionschange(OptionsChange)
        case driving(DrivingEvent)
        /// The tracker has carried out or refused an order of a server.
        case order(OrderReport)
    }

    /// The cause of a track point that no sampling rule requested, or of a motionchange after an unseen move.
    package enum Trigger: String, Sendable, Hashable, Codable {
        case region
        case beacon
        /// The vehicle left a circle that moves with it.
        case follow
        /// A fix showed the vehicle here, farther from its parked place than it can have driven unseen.
        case movedUnseen
    }

    package enum Kind: String, Sendable, Codable, CaseIterable {
        case location, motionchange, visit, transition, waypoint, trip, request, ping, providerchange, power
        case health, optionschange, driving, order

        /// What all records of a kind have in common, so that no other file lists all kinds.
        package struct Traits: OptionSet, Sendable {
            package let rawValue: Int
            package init(rawValue: Int) { self.rawValue = rawValue }

            /// The store writes the record at once, and not with the next group, so that it survives a power cut.
            package static let event = Traits(rawValue: 1)
            /// The record reports where the vehicle was, or when it was there.
            package static let place = Traits(rawValue: 2)
            /// The position is where the vehicle was at `time`, for formats that know only such points.
            package static let point = Traits(rawValue: 4)
            /// The whole record shows where, when or by whom the vehicle was driven, so a private period leaves it out.
            package static let hiddenWhenPrivate = Traits(rawValue: 8)
            /// The sender of a request or order waits for the record.
            package static let answer = Traits(rawValue: 16)
        }

        package var traits: Traits {
            switch self {
            case .location: [.place, .point, .hiddenWhenPrivate]
            case .motionchange, .visit: [.event, .place, .point, .hiddenWhenPrivate]
            case .transition: [.event, .place, .hiddenWhenPrivate]
            case .waypoint: [.event, .hiddenWhenPrivate]
            case .trip: [.event, .point, .hiddenWhenPrivate]
            case .request: [.event, .point, .answer]
            case .ping: [.event, .point]
            case .order: [.event, .answer]
            case .providerchange, .power, .health, .optionschange, .driving: [.event]
            }
        }

        package var isEvent: Bool { traits.contains(.event) }
    }

    package var content: Content
    package var time: Timestamp
    /// Whether GPS or a time server had set the clock that measured `time`.
    package var isTimeTrusted: Bool
    /// True if `time` is trusted and was counted from the UTC time of the boot, not taken from a fix; nil otherwise.
    package var isTimeCounted: Bool?
    /// Nil if unknown, in a private period or place, or if the monitoring mode keeps it private.
    package var position: Position?
    /// Whether the vehicle moves after this record; false in a private period.
    package var isMoving: Bool
    /// The value to which the odometer was set, plus the accepted movement since then.
    package var odometer: Metres
    /// Counted from 1; nil between trips.
    package var trip: Int?
    /// The tag in force, for example the tag for tracking outside the schedule; nil if there is none.
    package var tag: String?
    /// The vehicle's name; nil if no beacon has identified the vehicle.
    package var vehicle: String?
    /// The driver's name; nil if no beacon has identified a driver, and in a private period.
    package var driver: String?
    /// The regions that the vehicle is in and that have a description; nil if there are none.
    package var regions: [RegionName]?
    /// Nil for all records except those that `Trigger` describes.
    package var trigger: Trigger?
    /// Nil if the program has not read an ignition line, and in a private period.
    package var ignition: Bool?
    /// Nil if not measured in the last five minutes, and in a private period for kinds other than `power`.
    package var supply: Volts?
    /// True if no server receives the record, because `sync` or `monitoring` forbids it, or because it is the end of a
    /// trip that began in a mode without unrequested records; nil otherwise.
    package var isWithheld: Bool?
    /// The monitoring mode in which the record was made; nil until the logbook sets it.
    package var mode: MonitoringMode?
    /// The radius of the circle whose entry or exit caused this track point; nil for other records.
    package var radius: Metres?

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
        case .health: .health
        case .optionschange: .optionschange
        case .driving: .driving
        case .order: .order
        }
    }

    package var isStop: Bool {
        switch content {
        case .motionchange: !isMoving
        case .visit(let visit): visit.departed == nil
        case .trip(let report): report.summary != nil
        case .location, .transition, .waypoint, .request, .ping, .providerchange, .power, .health, .optionschange,
            .driving, .order:
            false
        }
    }

    /// True if the vehicle leaves a place, or if a trip begins.
    package var isExit: Bool {
        switch content {
        case .motionchange: isMoving
        case .visit(let visit): visit.departed != nil
        case .trip(let report): report.summary == nil
        case .transition(let transition): transition.direction == .leave
        case .location, .waypoint, .request, .ping, .providerchange, .power, .health, .optionschange, .driving, .order:
            false
        }
    }
}

/// A record in the queue, with an identity that lets the server recognise a second delivery.
package struct StoredRecord: Sendable, Hashable, Codable {
    /// Increases by one with each record; no number is used again.
    package let sequence: Int64
    /// UUID version 7 (RFC 9562) in lower case.
    package let uuid: String
    /// The program's estimate of UTC when the record was written; the store may correct it later.
    package let created: Timestamp
    package let record: Record

    package init(sequence: Int64, uuid: String, created: Timestamp, record: Record) {
        self.sequence = sequence
        self.uuid = uuid
        self.created = created
        self.record = record
    }
}

// Filters, placeholders and documents use the names below for the events of each kind of record.

extension Record {
    package enum MotionEvent: String, Sendable, Hashable, CaseIterable {
        case departed
        /// The vehicle arrived, or a fix corrected the parked place.
        case arrived
        /// A fix showed the moving vehicle farther from its parked place than it can have driven unseen.
        case moved
    }

    package enum SpanEvent: String, Sendable, Hashable, CaseIterable {
        case started, ended
    }

    /// What happened, such as `enter`, `departed` or `ignitionOn`: one of `kind.events`, or nil if the kind has none.
    package var event: String? {
        switch content {
        case .motionchange: motionEvent.rawValue
        case .trip(let report): (report.summary == nil ? SpanEvent.started : .ended).rawValue
        case .visit(let visit): (visit.departed == nil ? SpanEvent.started : .ended).rawValue
        case .transition(let transition): transition.direction.rawValue
        case .driving(let event): event.kind.rawValue
        case .power(let change, _): change.rawValue
        case .providerchange(let change): change.state.rawValue
        case .health(let report): report.change.rawValue
        case .location, .waypoint, .request, .ping, .optionschange, .order: nil
        }
    }

    private var motionEvent: MotionEvent {
        guard isMoving else { return .arrived }
        return trigger == .movedUnseen ? .moved : .departed
    }
}

extension Record.Kind {
    /// Empty for a kind whose records have no events.
    package var events: [String] {
        switch self {
        case .motionchange: Record.MotionEvent.allCases.map(\.rawValue)
        case .trip, .visit: Record.SpanEvent.allCases.map(\.rawValue)
        case .transition: Transition.Direction.allCases.map(\.rawValue)
        case .driving: DrivingEvent.Kind.allCases.map(\.rawValue)
        case .power: PowerChange.allCases.map(\.rawValue)
        case .providerchange: ProviderChange.State.allCases.map(\.rawValue)
        case .health: HealthChange.allCases.map(\.rawValue)
        case .location, .waypoint, .request, .ping, .optionschange, .order: []
        }
    }
}
