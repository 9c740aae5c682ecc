import Quantities
import Tracking

/// How it is with the tracker, as `status` answers it; units are in the names.
package struct Status: Codable, Sendable, Hashable {
    /// The last report of the receiver that was believed.
    package struct LastFix: Codable, Sendable, Hashable {
        package let time: String
        package let age_s: Double
        package let accuracy_m: Double?
        package let satellites: Int?
    }

    /// Where the vehicle is, as far as that is known.
    package struct Location: Codable, Sendable, Hashable {
        package let lat: Double
        package let lon: Double
        package let accuracy_m: Double?
        package let speed_mps: Double?
        package let course_deg: Double?
        package let altitude_m: Double?
    }

    /// The trip under way.
    package struct Trip: Codable, Sendable, Hashable {
        package let number: Int
        package let id: String?
        package let metadata: [String: String]
        package let vehicle: String?
        package let driver: String?
    }

    /// The GPS receiver.
    package struct Receiver: Codable, Sendable, Hashable {
        package let on: Bool
        package let on_s: Double?
        /// Time to first fix, averaged.
        package let ttff_s: Double?
    }

    /// When tracking is allowed.
    package struct Schedule: Codable, Sendable, Hashable {
        package let isWithinSchedule: Bool
        package let next_change: String?
    }

    /// What is still to be delivered.
    package struct Queue: Codable, Sendable, Hashable {
        /// One server.
        package struct Target: Codable, Sendable, Hashable {
            package let name: String
            package let waiting: Int
            /// Whether there are more than were counted.
            package let or_more: Bool
        }

        /// Records that are in memory alone.
        package let in_memory: Int
        package let targets: [Target]
    }

    /// `moving` or `stationary`.
    package let state: String
    /// What led to the state.
    package let why: String
    /// How long until a stop is confirmed, if nothing speaks against it; nothing while none is in sight.
    package let stop_in_s: Double?
    /// `on`, `off`, or `outside schedule`.
    package let tracking: String
    package let mode: String
    package let schedule: Schedule
    package let receiver: Receiver
    package let fix: LastFix?
    /// Nothing when it is not known, or `trackLastKnownLocation` is off.
    package let location: Location?
    package let odometer_m: Double
    package let trip: Trip?
    /// The regions that the vehicle is in.
    package let regions: [String]
    package let queue: Queue
}

extension Status {
    /// Puts together what the engine and the loop know.
    init(_ engine: Engine, why: String?, stopAt: Instant?, queue: Queue, at now: Instant) {
        state = engine.state.isMoving ? "moving" : "stationary"
        self.why = why ?? "as it was when the program started"
        stop_in_s = engine.state.isMoving ? stopAt.map { max(0, ($0 - now).inSeconds.rounded(.up)) } : nil
        tracking = engine.suspension.title
        mode = engine.mode.name
        schedule = Schedule(
            isWithinSchedule: engine.isWithinSchedule,
            next_change: engine.nextScheduleChange(at: now)?.description)
        receiver = Receiver(
            on: engine.receiverOnSince != nil, on_s: engine.receiverOnSince.map { (now - $0).tenths },
            ttff_s: engine.state.timeToFirstFix?.tenths)
        fix = engine.state.lastFix.map { LastFix($0, age: engine.time(at: now) - $0.time) }
        location = engine.lastKnownLocation.map(Location.init)
        odometer_m = engine.state.odometer.distance.value.tenths
        trip = Trip(engine.state)
        regions = engine.regionsInside.map(\.name.name)
        self.queue = queue
    }
}

extension Status.LastFix {
    fileprivate init(_ fix: AcceptedFix, age: Duration) {
        self.init(
            time: fix.time.description, age_s: age.tenths, accuracy_m: fix.position.accuracy?.value.tenths,
            satellites: fix.position.satellites)
    }
}

extension Status.Location {
    /// Writes a place; seven decimals are a centimetre.
    init(_ position: Position) {
        self.init(
            lat: (position.coordinate.latitude * 1e7).rounded() / 1e7,
            lon: (position.coordinate.longitude * 1e7).rounded() / 1e7, accuracy_m: position.accuracy?.value.tenths,
            speed_mps: position.speed?.value.tenths, course_deg: position.course?.value.tenths,
            altitude_m: position.altitude?.value.tenths)
    }
}

extension Status.Trip {
    fileprivate init?(_ state: EngineState) {
        guard let number = state.trips.number else { return nil }
        let report = state.trips.report
        let lines = (report?.metadata ?? []).map { ($0.key, $0.value) }
        self.init(
            number: number, id: report?.externalID, metadata: Dictionary(lines) { _, last in last },
            vehicle: state.names.vehicle, driver: state.names.driver)
    }
}

extension Engine.Suspension? {
    /// Whether it tracks, in a word or two.
    var title: String {
        switch self {
        case nil: "on"
        case .switchedOff: "off"
        case .schedule: "outside schedule"
        }
    }
}

extension Duration {
    /// Seconds, to a tenth.
    var tenths: Double { inSeconds.tenths }
}

extension Double {
    /// The number to a tenth.
    var tenths: Double { (self * 10).rounded() / 10 }
}
