import JSON
import Motion
package import Quantities
import StopDetection
package import Tracking
package import TrackingOptions

/// The names of the members contain the units.
package struct Status: Codable, Sendable, Hashable {
    package struct LastFix: Codable, Sendable, Hashable {
        package let time: String
        package let age_s: Double
        package let accuracy_m: Double?
        package let satellites: Int?
        /// `deadReckoning`, `combined` or `simulated`; nil with satellites alone.
        package let solution: String?
        package let climb_mps: Double?
        package let dop: DOP?
        /// The level from 0 (no jamming) to 255.
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
        package let ttff_s: Double?
        /// The reason why the tracker uses none of the receiver's positions; nil if it uses them, or if there are none.
        package let refused: String?
    }

    package struct Accelerometer: Codable, Sendable, Hashable {
        package let answers: Bool
        /// The vibration while parked: the 90th percentile of the standard deviations of one-second windows; nil until there
        /// are 60.
        package let noise_parked_mps2: Double?
        /// The same while the vehicle stands still during a trip, for example with an idling engine.
        package let noise_idling_mps2: Double?
        /// The number of failed transfers since the program started.
        package let errors: Int
    }

    package struct Privacy: Codable, Sendable, Hashable {
        /// One or more of `command`, `time`, `place` and `switch`.
        package let reasons: [String]
        /// The end of the private period; nil if it has none, or if it is unknown.
        package let until: String?
    }

    package struct Schedule: Codable, Sendable, Hashable {
        package let isWithinSchedule: Bool
        package let next_change: String?
    }

    package struct Queue: Codable, Sendable, Hashable {
        package struct Target: Codable, Sendable, Hashable {
            package let name: String
            /// Nil while the database cannot be read.
            package let waiting: Int?
            /// True if more records wait than `waiting` states.
            package let or_more: Bool
            /// True if the server has received nothing yet; otherwise nil.
            package let never_reached: Bool?
            /// The number of records that wait for `queue retry`.
            package let set_aside: Int
            /// Why uploads fail or wait; nil if they work, and in an answer to a server.
            package let fault: String?

            package init(
                name: String, waiting: Int?, or_more: Bool, never_reached: Bool?, set_aside: Int, fault: String?
            ) {
                (self.name, self.waiting, self.or_more) = (name, waiting, or_more)
                (self.never_reached, self.set_aside, self.fault) = (never_reached, set_aside, fault)
            }

            package var namedFault: String? { fault.map { "\(name): \($0)" } }
        }

        package let in_memory: Int
        /// Why records cannot be written, and what to do; nil while the database works, and in an answer to a
        /// server.
        package let fault: String?
        /// The names of the damaged database files that remain, the oldest first; nil if there are none, and in an answer to a
        /// server.
        package let damaged_files: [String]?
        package let targets: [Target]
        /// The records removed since the database was created; nil if there are none, or if it cannot be read.
        package let removed: ControlQueue.Removed?

        package init(
            in_memory: Int, fault: String?, damaged_files: [String]?, targets: [Target], removed: ControlQueue.Removed?
        ) {
            (self.in_memory, self.fault, self.damaged_files) = (in_memory, fault, damaged_files)
            (self.targets, self.removed) = (targets, removed)
        }
    }

    /// A turn is the loop's work between two waits; meanwhile, no further device or client is served.
    package struct Loop: Codable, Sendable, Hashable {
        package let longest_turn_s: Double
        /// The number of turns that took longer than 20 ms.
        package let long_turns: Int

        package init(longest: Duration, long count: Int) {
            longest_turn_s = longest.thousandths
            long_turns = count
        }
    }

    /// The tracker's name; nil if the program sets none, and in an answer to a server.
    package let device: String?
    package let state: String
    package let why: String
    /// When the vehicle was parked; nil while it moves, in a private period, and if unknown.
    package let since: String?
    /// The remaining time until a vehicle at rest counts as parked; nil while it drives, and once it is parked.
    package let stop_in_s: Double?
    package let tracking: String
    package let mode: String
    package let privacy: Privacy?
    package let awake_until: String?
    /// The server's options that are in force, in the notation of a file.
    package let server_options: [String: String]?
    /// True or nil.
    package let server_options_on_trial: Bool?
    package let schedule: Schedule
    package let receiver: Receiver
    package let accelerometer: Accelerometer?
    /// The charge since the program's start, extrapolated to a day; nil in the first ten minutes, and if the board's
    /// file has no currents.
    package let charge_mAh_per_day: Double?
    package let fix: LastFix?
    /// Nil if unknown or private, without `trackLastKnownLocation`, and in an answer to a server in the modes `quiet` and
    /// `manual`.
    package let location: Location?
    package let odometer_m: Double
    package let trip: Trip?
    /// Empty in an answer to a server in the mode `quiet`.
    package let regions: [String]
    package let ignition: Bool?
    /// Nil if not measured in the last five minutes.
    package let supply_V: Double?
    /// The faults of devices, those of targets that the owner must correct, and the safe mode, in words; a server does not
    /// learn the faults of targets.
    package let faults: [String]?
    package let queue: Queue
    package let loop: Loop?
}

extension Status {
    /// Leaves out what the mode `withholding` hides from servers; `.move` hides nothing.
    package init(
        _ engine: EngineStatus, why: String?, stopAt: Instant?, errors: Int?, charge_mAh_per_day: Double?, queue: Queue,
        turns: Loop, device: String? = nil, faults: [String] = [], withholding: MonitoringMode = .move, at now: Instant
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
            isWithinSchedule: engine.isWithinSchedule, next_change: engine.nextScheduleChange(at: now)?.description)
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
        supply_V = engine.supplyVoltage(at: now).map { $0.value.rounded(decimals: 2) }
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
        self.init(reasons: engine.privacyReasons.map(\.rawValue), until: engine.privacyEnd(at: now)?.description)
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
            answers: engine.hasMotionSensor, noise_parked_mps2: noise.parked.level?.value.rounded(decimals: 3),
            noise_idling_mps2: noise.idling.level?.value.rounded(decimals: 3), errors: errors)
    }
}

extension Status.LastFix {
    fileprivate init(_ fix: AcceptedFix, age: Duration) {
        self.init(
            time: fix.time.description, age_s: age.tenths, accuracy_m: fix.position.accuracy?.value.tenths,
            satellites: fix.position.satellites, solution: fix.position.solution?.rawValue,
            climb_mps: fix.climb?.value.tenths, dop: Status.DOP(fix), jamming: fix.jamming)
    }
}

extension Status.DOP {
    fileprivate init?(_ fix: AcceptedFix) {
        guard fix.hdop != nil || fix.vdop != nil || fix.pdop != nil else { return nil }
        self.init(horizontal: fix.hdop, vertical: fix.vdop, position: fix.pdop)
    }
}

extension Status.Location {
    /// Rounds the coordinate to seven decimals, about a centimetre.
    init(_ position: Position) {
        self.init(
            lat: position.coordinate.latitude.rounded(decimals: 7),
            lon: position.coordinate.longitude.rounded(decimals: 7), accuracy_m: position.accuracy?.value.tenths,
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

    package var thousandths: Double { inSeconds.rounded(decimals: 3) }
}

extension Double {
    package var tenths: Double { rounded(decimals: 1) }
}
