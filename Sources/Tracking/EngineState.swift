package import Motion
package import Quantities
package import TrackingOptions

/// What survives a restart; written in one transaction with each record.
package struct EngineState: Sendable, Hashable, Codable {
    /// The last point that was recorded.
    package struct Recorded: Sendable, Hashable, Codable {
        /// Where.
        package var coordinate: Coordinate
        /// When.
        package var time: Timestamp
        /// The course there.
        package var course: Degrees?

        /// Notes a place.
        init(coordinate: Coordinate, time: Timestamp, course: Degrees? = nil) {
            self.coordinate = coordinate
            self.time = time
            self.course = course
        }

        /// Notes a fix.
        init(_ fix: AcceptedFix) {
            self.init(coordinate: fix.coordinate, time: fix.time, course: fix.position.course)
        }
    }

    /// Whether the vehicle moves.
    package var isMoving = false
    /// Where it was parked last; nothing before the first good fix.
    package var parked: Position?
    /// The last fix that was believed.
    package var lastFix: AcceptedFix?
    /// Whether `lastFix` was taken since the departure; means nothing while the vehicle is parked.
    package var isLastFixOfTrip = false
    /// The last point that was recorded.
    package var lastRecorded: Recorded?
    /// When it came to rest there.
    package var parkedSince: Timestamp?
    /// The stay that ends, if the start turns out to be real.
    package var endingStay: Visit?
    /// How the accelerometer is mounted, as far as that is known.
    package var mounting = MountingEstimate()
    /// What the accelerometer feels while the vehicle stands.
    package var noise = NoiseFloor()
    /// Whether somebody might tow the vehicle away.
    package var tow = TowRule.Memory.off(parked: nil)
    /// The trips.
    package var trips = TripLog()
    /// Time to first fix, averaged.
    package var timeToFirstFix: Duration?
    /// Whether somebody has switched tracking off.
    package var isSwitchedOff = false
    /// The options that were set while the program ran: the mode that was switched to, and the server's.
    package var layers = OptionLayers()
    /// The regions that the vehicle is in.
    package var stays: [RegionStay] = []
    /// The waypoints that were set.
    package var waypoints: [Waypoint] = []
    /// The circles among them that move along.
    package var followed: [FollowRegion] = []
    /// Which vehicle it is, and who drives it.
    package var names = VehicleDetection.Names()
    /// What records are tagged with.
    package var tag: String?
    /// Metres driven.
    package var odometer = Odometer()

    /// Makes the state of a tracker that has never run.
    package init() {}
}

extension EngineState {
    /// A state as it was found on disk, field by field: what cannot be read begins anew, and the rest stays.
    package struct Restored: Sendable, Hashable, Decodable {
        /// What could be read; the defaults in place of what is missing or cannot be read.
        package private(set) var state = EngineState()
        /// The fields that are there and cannot be read.
        ///
        /// One that is missing is none of them: the version that wrote the state did not know it.
        package private(set) var unreadable: [String] = []

        /// What is left of a text that is no state at all.
        package static let nothing = Restored(unreadable: ["all of it"])

        private init(unreadable: [String]) { self.unreadable = unreadable }

        /// Reads what it can; throws only when there are no fields.
        package init(from decoder: any Decoder) throws {
            var fields = FieldReader(try decoder.container(keyedBy: EngineState.CodingKeys.self))
            fields.read(.isMoving, into: &state.isMoving)
            fields.read(.parked, into: &state.parked)
            fields.read(.lastFix, into: &state.lastFix)
            fields.read(.isLastFixOfTrip, into: &state.isLastFixOfTrip)
            fields.read(.lastRecorded, into: &state.lastRecorded)
            fields.read(.parkedSince, into: &state.parkedSince)
            fields.read(.endingStay, into: &state.endingStay)
            fields.read(.mounting, into: &state.mounting)
            fields.read(.noise, into: &state.noise)
            fields.read(.tow, into: &state.tow)
            fields.read(.trips, into: &state.trips)
            fields.read(.timeToFirstFix, into: &state.timeToFirstFix)
            fields.read(.isSwitchedOff, into: &state.isSwitchedOff)
            fields.read(.layers, into: &state.layers)
            fields.read(.stays, into: &state.stays)
            fields.read(.waypoints, into: &state.waypoints)
            fields.read(.followed, into: &state.followed)
            fields.read(.names, into: &state.names)
            fields.read(.tag, into: &state.tag)
            fields.read(.odometer, into: &state.odometer)
            unreadable = fields.unreadable
        }

        /// What an owner is to be told; nothing when all could be read.
        package var complaint: String? {
            guard !unreadable.isEmpty else { return nil }
            return """
                queue: of the state before the start, this cannot be read and begins anew: \
                \(unreadable.joined(separator: ", ")). Look at `trackerd status`, and set again what it lacks.
                """
        }
    }

    /// Reads what it can of a state, as `Restored` does.
    package init(from decoder: any Decoder) throws { self = try Restored(from: decoder).state }
}

/// Reads fields one by one, and remembers those that it cannot read.
private struct FieldReader<Key: CodingKey> {
    private let fields: KeyedDecodingContainer<Key>
    private(set) var unreadable: [String] = []

    init(_ fields: KeyedDecodingContainer<Key>) { self.fields = fields }

    /// Leaves the value as it is when the field is missing or cannot be read.
    mutating func read<Value: Decodable>(_ key: Key, into value: inout Value) {
        do {
            value = try fields.decodeIfPresent(Value.self, forKey: key) ?? value
        } catch {
            unreadable.append(key.stringValue)
        }
    }
}
