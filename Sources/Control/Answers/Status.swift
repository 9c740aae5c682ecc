import Calendar
import Motion
package import Quantities
import StopDetection
package import Tracking
package import TrackingOptions

/// The response to `status`; the names of the members contain the units.
package struct Status: Codable, Sendable, Hashable {
    package struct LastFix: Codable, Sendable, Hashable {
        package let time: String
        package let age_s: Double
        package let accuracy_m: Double?
        package let satellites: Int?
        /// `deadReckoning`, `combined` or `simulated`; nil if the position comes from satellites only.
        package let solution: String?
        package let climb_mps: Double?
        package let dop: DOP?
        /// The jamming level, from 0 (none) to 255.
        package let jamming: Int?
    }

    package struct DOP: Codable, Sendable, Hashable {
        package let horizontal: Double?
        package let vertical: Double?
        package let position: Double?
    }

    package struct Location: Codable, Sendable, Hashable {
        package let lat: Double
        package let lon: Double
        package let accuracy_m: Double?
        package let speed_mps: Double?
        package let course_deg: Double?
        package let altitude_m: Double?
    }

    package struct Trip: Codable, Sendable, Hashable {
        package let number: Int
        package let id: String?
        package let metadata: [String: String]
        package let vehicle: String?
        package let driver: String?
    }

    package struct Receiver: Codable, Sendable, Hashable {
        package let on: Bool
        package let on_s: Double?
        /// The average time to first fix.
        package let ttff_s: Double?
        /// Why trackerd uses none of the receiver's positions; nil if it uses them, or if the receiver reports none.
        package let refused: String?
    }

    package struct Accelerometer: Codable, Sendable, Hashable {
        package let answers: Bool
        /// The accelerometer's noise in a parked vehicle: the 90th percentile of the standard deviations of one-second
        /// windows.
        package let noise_parked_mps2: Double?
        /// The accelerometer's noise while the vehicle is still during a trip, for example with an idling engine.
        package let noise_idling_mps2: Double?
        /// The number of transfers that have failed since the program started.
        package let errors: Int
    }

    /// A private period, in which the tracker records no position.
    package struct Privacy: Codable, Sendable, Hashable {
        /// Why the position is private: `command`, `time` or `place`, one or more of them.
        package let reasons: [String]
        /// When the period ends; nil if that is unknown.
        package let until: String?
    }

    package struct Schedule: Codable, Sendable, Hashable {
        package let isWithinSchedule: Bool
        package let next_change: String?
    }

    package struct Queue: Codable, Sendable, Hashable {
        package struct Target: Codable, Sendable, Hashable {
            package let name: String
            /// The number of waiting records; nil while the database cannot be read.
            package let waiting: Int?
            /// Whether more records wait than the number in `waiting`.
            package let or_more: Bool
            /// True if the server has received no record yet; otherwise nil.
            package let never_reached: Bool?
            /// The number of set-aside records, which wait for `queue retry`.
            package let set_aside: Int
            /// Why the server receives no records at present; nil if uploads work, and in an answer to a server.
            package let fault: String?

            package init(
                name: String, waiting: Int?, or_more: Bool, never_reached: Bool?, set_aside: Int, fault: String?
            ) {
                (self.name, self.waiting, self.or_more) = (name, waiting, or_more)
                (self.never_reached, self.set_aside, self.fault) = (never_reached, set_aside, fault)
            }

            package var namedFault: String? { fault.map { "\(name): \($0)" } }
        }

        /// The number of records that are only in memory.
        package let in_memory: Int
        /// Why records are only in memory, and what to do; nil while the database works, and in an answer to a server.
        package let fault: String?
        /// The names of the damaged database files that trackerd has replaced and that still exist, the oldest first; nil if there
        /// are none, and in an answer to a server.
        package let damaged_files: [String]?
        package let targets: [Target]
        /// The numbers of records that trackerd has removed since the database was created; nil if there are none, or
        /// if the database cannot be read.
        package let removed: ControlQueue.Removed?

        package init(
            in_memory: Int, fault: String?, damaged_files: [String]?, targets: [Target],
            removed: ControlQueue.Removed?
        ) {
            (self.in_memory, self.fault, self.damaged_files) = (in_memory, fault, damaged_files)
            (self.targets, self.removed) = (targets, removed)
        }
    }

    /// The turns of the daemon's main loop, which serves one device or client after the other.
    package struct Loop: Codable, Sendable, Hashable {
        package let longest_turn_s: Double
        /// The number of turns that took longer than 20 ms.
        package let long_turns: Int

        package init(longest: Duration, long count: Int) {
            longest_turn_s = longest.thousandths
            long_turns = count
        }
    }

    /// The name of the tracker in the configuration; nil in a replay, and in an answer to a server.
    package let device: String?
    /// `moving` or `stationary`.
    package let state: String
    package let why: String
    /// When the parked vehicle arrived; nil while it moves, and if that time is unknown.
    package let since: String?
    /// The time until a stop is confirmed if the vehicle remains still; nil if it moves or is parked.
    package let stop_in_s: Double?
    /// `on`, `off`, or `outside schedule`.
    package let tracking: String
    package let mode: String
    package let privacy: Privacy?
    /// Until when `haltAfter` does not halt the board; nil if no command keeps the board awake.
    package let awake_until: String?
    /// The options that a server has set and that are in force, in the notation of a file; nil if there are none.
    package let server_options: [String: String]?
    /// True if the server's options are on trial; otherwise nil.
    package let server_options_on_trial: Bool?
    package let schedule: Schedule
    package let receiver: Receiver
    package let accelerometer: Accelerometer?
    /// The charge that the board has drawn since the start of the program, extrapolated to a day.
    ///
    /// The value is nil in the first ten minutes, and if the board's file contains no currents.
    package let charge_mAh_per_day: Double?
    package let fix: LastFix?
    /// The last known position; nil if the position is unknown or private, if `trackLastKnownLocation` is off, and in an answer to a
    /// server in the modes `quiet` and `manual`.
    package let location: Location?
    package let odometer_m: Double
    package let trip: Trip?
    /// The regions that the vehicle is in; empty in an answer to a server in the mode `quiet`.
    package let regions: [String]
    /// Whether the ignition is on; nil if the program has not read an ignition line.
    package let ignition: Bool?
    /// The voltage of the vehicle's battery; nil if it was not measured in the last five minutes.
    package let supply_V: Double?
    /// The present faults of the devices and the targets, and the safe mode, in words; nil if there are none.
    ///
    /// An answer to a server contains no faults of targets.
    package let faults: [String]?
    package let queue: Queue
    /// The turns of the main loop; nil in the status of a daemon that does not measure its turns.
    package let loop: Loop?
}

extension Status {
    /// Collects the status from the engine and the loop, without what the mode `withholding` withholds from servers.
    package init(
        _ engine: EngineStatus, why: String?, stopAt: Instant?, errors: Int?, charge_mAh_per_day: Double?, queue: Queue,
        turns: Loop, device: String? = nil, faults: [String] = [], withholding: MonitoringMode = .move,
        at now: Instant
    ) {
        self.device = device
        state = engine.isMoving ? "moving" : "stationary"
        self.why = why ?? "unchanged since the program started"
        since = engine.parkedSince?.description
        stop_in_s = engine.isMoving ? stopAt.map { max(0, ($0 - now).inSeconds.rounded(.up)) } : nil
        tracking = engine.suspension.title
        mode = engine.mode.name
        privacy = Privacy(engine, at: now)
        awake_until = engine.awakeUntil(at: now)?.description
        let fromServer = engine.resolvedOptions.items.filter { $0.origin == .remote }
        server_options =
            fromServer.isEmpty ? nil : Dictionary(fromServer.map { ($0.key, $0.value.description) }) { $1 }
        server_options_on_trial = engine.optionsTrial == nil ? nil : true
        schedule = Schedule(
            isWithinSchedule: engine.isWithinSchedule,
            next_change: engine.nextScheduleChange(at: now)?.description)
        receiver = Receiver(
            on: engine.receiverOnSince != nil, on_s: engine.receiverOnSince.map { (now - $0).tenths },
            ttff_s: engine.state.receiver.timeToFirstFix?.tenths, refused: engine.receiverRefusal?.rawValue)
        accelerometer = errors.map { Accelerometer(engine, errors: $0) }
        self.charge_mAh_per_day = charge_mAh_per_day?.rounded()
        fix = engine.lastFix.map { LastFix($0, age: engine.time(at: now) - $0.time) }
        location = withholding.recordsUnasked ? engine.lastKnownLocation.map(Location.init) : nil
        odometer_m = engine.odometer.value.tenths
        trip = Trip(engine.state)
        regions = withholding.recordsRegions ? engine.regionsInside.map(\.name.name) : []
        ignition = engine.ignition
        supply_V = engine.supplyVoltage(at: now).map { ($0.value * 100).rounded() / 100 }
        self.faults = faults.isEmpty ? nil : faults
        self.queue = queue
        loop = turns
    }
}

extension Status {
    /// The faults without those of the targets, which are also in `queue`.
    package var deviceFaults: [String] {
        let known = Set(queue.targets.compactMap(\.namedFault))
        return (faults ?? []).filter { !known.contains($0) }
    }
}

extension Status.Privacy {
    fileprivate init?(_ engine: EngineStatus, at now: Instant) {
        guard engine.isPrivate else { return nil }
        self.init(
            reasons: engine.privacyReasons.map(\.rawValue), until: engine.privacyEnd(at: now)?.description)
    }

    package var text: String {
        let words = reasons.map { PrivacyReason(rawValue: $0)?.text ?? $0 }.joined(separator: ", ")
        return words + (until.map { ", until \($0)" } ?? "")
    }
}

extension Status.Accelerometer {
    fileprivate init(_ engine: EngineStatus, errors: Int) {
        let noise = engine.state.noise
        self.init(
            answers: engine.hasMotionSensor, noise_parked_mps2: noise.parked.level?.thousandths,
            noise_idling_mps2: noise.idling.level?.thousandths, errors: errors)
    }
}

extension Acceleration {
    fileprivate var thousandths: Double { (value * 1000).rounded() / 1000 }
}

extension Status.LastFix {
    fileprivate init(_ fix: AcceptedFix, age: Duration) {
        self.init(
            time: fix.time.description, age_s: age.tenths, accuracy_m: fix.position.accuracy?.value.tenths,
            satellites: fix.position.satellites, solution: fix.position.solution?.rawValue,
            climb_mps: fix.climb?.value.tenths, dop: Status.DOP(fix),
            jamming: fix.jamming)
    }
}

extension Status.DOP {
    fileprivate init?(_ fix: AcceptedFix) {
        guard fix.hdop != nil || fix.vdop != nil || fix.pdop != nil else { return nil }
        self.init(horizontal: fix.hdop, vertical: fix.vdop, position: fix.pdop)
    }
}

extension Status.Location {
    /// Copies a position, rounded to seven decimals, which are about a centimetre.
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
        guard let number = state.logbook.trips.number else { return nil }
        let report = state.logbook.trips.report
        let lines = (report?.metadata ?? []).map { ($0.key, $0.value) }
        self.init(
            number: number, id: report?.externalID, metadata: Dictionary(lines) { _, last in last },
            vehicle: state.beacons.names.vehicle, driver: state.beacons.names.driver)
    }
}

extension Suspension? {
    var title: String {
        switch self {
        case nil: "on"
        case .switchedOff: "off"
        case .schedule: "outside schedule"
        }
    }
}

extension Duration {
    package var tenths: Double { inSeconds.tenths }

    package var thousandths: Double { (inSeconds * 1000).rounded() / 1000 }
}

extension Double {
    package var tenths: Double { (self * 10).rounded() / 10 }
}
