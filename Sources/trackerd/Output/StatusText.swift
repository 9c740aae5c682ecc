import Control
import Tracking

struct StatusText {
    let status: Control.Status
    let clock: ZoneClock

    var lines: [String] {
        let faults: [(String, String?)] = status.deviceFaults.map { ("fault", $0) }
        let rows = rows + faults
        let width = rows.map(\.0.count).max() ?? 0
        return rows.compactMap { title, text in
            text.map { title + String(repeating: " ", count: width - title.count) + "  \($0)" }
        }
    }

    /// One line without the values that change constantly.
    var summary: String {
        let targets = status.queue.targets.compactMap { target in target.fault.map { "\(target.name): \($0)" } }
        let faults = targets + [status.queue.fault].compactMap(\.self) + status.deviceFaults
        let values = [
            state, "tracking \(status.tracking)", "mode \(status.mode)", ignition.map { "ignition \($0)" },
            regions.map { "in \($0)" }, privacy.map { "private (\($0))" },
            awake.map { "stays awake \($0)" },
            faults.isEmpty ? nil : faults.joined(separator: "; "),
        ]
        return values.compactMap(\.self).joined(separator: ", ")
    }

    // Each text is a property with an explicit type, because Swift 6.2 cannot infer the types in one large expression.
    private var rows: [(String, String?)] {
        [
            ("state", state), ("since", status.since.map(clock.localized)), ("stop", stop),
            ("tracking", status.tracking), ("mode", status.mode),
            ("private", privacy), ("awake", awake), ("server", serverOptions), ("schedule", schedule),
            ("receiver", receiver), ("accelerometer", accelerometer),
            ("charge", charge),
            ("fix", fix), ("place", place), ("odometer", odometer), ("trip", trip), ("regions", regions),
            ("ignition", ignition), ("battery", battery), ("queue", queue),
            ("removed", status.queue.removed.map(QueueText.counts)), ("database", replacedFiles),
        ]
    }

    var state: String { "\(status.state == "stationary" ? "parked" : status.state) (\(status.why))" }

    var awake: String? { status.awake_until.map { "until \(clock.localized($0))" } }

    var privacy: String? { status.privacy.map { clock.localized($0.text) } }

    /// A text such as `stopTimeout: 5m (on trial)`.
    private var serverOptions: String? {
        let options = (status.server_options ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        guard !options.isEmpty else { return nil }
        return options.joined(separator: ", ") + (status.server_options_on_trial == true ? " (on trial)" : "")
    }

    private var stop: String? { status.stop_in_s.map { "in \(Self.whole($0)) s, if the vehicle remains still" } }

    private var charge: String? { status.charge_mAh_per_day.map { "\(Self.whole($0)) mAh per day" } }

    var odometer: String { "\((status.odometer_m / 10).rounded() / 100) km" }

    var regions: String? { status.regions.isEmpty ? nil : status.regions.joined(separator: ", ") }

    private var ignition: String? { status.ignition.map { $0 ? "on" : "off" } }

    private var battery: String? { status.supply_V.map { "\($0) V" } }

    private var schedule: String? {
        let until = status.schedule.next_change.map { " until \(clock.localized($0))" }
        if status.schedule.isWithinSchedule { return until.map { "open" + $0 } }
        return "closed" + (until ?? "")
    }

    private var receiver: String {
        let on = status.receiver.on_s.map { "on for \(Self.whole($0)) s" } ?? "off"
        return on + (status.receiver.ttff_s.map { ", first fix after \($0) s on average" } ?? "")
    }

    private var accelerometer: String? {
        guard let sensor = status.accelerometer else { return nil }
        let noise = [
            sensor.noise_parked_mps2.map { "noise \($0) m/s² parked" },
            sensor.noise_idling_mps2.map { "\($0) m/s² idling" },
            sensor.errors > 0 ? "failed transfers: \(sensor.errors)" : nil,
        ]
        return ([sensor.answers ? "answers" : "does not answer"] + noise.compactMap(\.self)).joined(separator: ", ")
    }

    private var fix: String? {
        let last = status.fix.map { fixText($0, age: "\(Self.whole($0.age_s)) s ago") } ?? "none yet"
        guard let refused = status.receiver.refused else { return last }
        let cause = FixRejection(rawValue: refused)?.lastingCause ?? refused
        return "\(last); the receiver reports positions, but none is usable: \(cause)"
    }

    func fixText(_ fix: Control.Status.LastFix, age: String) -> String {
        let error = fix.accuracy_m.map { ", ±\($0) m" } ?? ""
        let satellites = fix.satellites.map { ", \($0) satellites" } ?? ""
        let dilution = fix.dop?.position.map { ", PDOP \($0)" } ?? ""
        let jamming = fix.jamming.map { ", jamming \($0) of 255" } ?? ""
        let solution = fix.solution.map { ", \(Self.source[$0] ?? $0)" } ?? ""
        return "\(age)\(solution)\(error)\(satellites)\(dilution)\(jamming)"
    }

    /// The words for a position that does not come from satellites alone.
    private static let source = [
        "deadReckoning": "by dead reckoning", "combined": "by satellites and dead reckoning", "simulated": "simulated",
    ]

    var place: String? { status.location.map { "\($0.lat), \($0.lon)" } }

    var trip: String? {
        guard let trip = status.trip else { return nil }
        let words = [
            trip.id, trip.vehicle.map { "vehicle \($0)" }, trip.driver.map { "driver \($0)" },
            trip.metadata.isEmpty
                ? nil : trip.metadata.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " "),
        ]
        return (["\(trip.number)"] + words.compactMap(\.self)).joined(separator: ", ")
    }

    private var queue: String { queueLines.joined(separator: ", ") }

    private var replacedFiles: String? {
        status.queue.damaged_files.map {
            "replaced, because it was damaged; the damaged \($0.count == 1 ? "file is" : "files are") "
                + "\($0.joined(separator: ", ")). Replace the card if this occurs again."
        }
    }

    var queueLines: [String] {
        let targets = status.queue.targets.map { target in
            let aside = target.set_aside > 0 ? " (and \(target.set_aside) set aside)" : ""
            guard let waiting = target.waiting else { return "\(target.name) unknown" }
            let count =
                waiting > 0 || target.fault != nil ? "\(waiting)\(target.or_more ? " or more" : "") waiting" : nil
            let reached = target.never_reached == true ? "not yet reached" : count == nil ? "up to date" : nil
            let progress = [count, reached].compactMap(\.self).joined(separator: ", ")
            let fault = target.fault.map { " (\($0))" } ?? ""
            return "\(target.name) \(progress)\(aside)\(fault)"
        }
        let reason = status.queue.fault.map { " (\($0))" } ?? ""
        let memory = status.queue.in_memory > 0 ? ["\(status.queue.in_memory) not on disk yet\(reason)"] : []
        return targets.isEmpty && memory.isEmpty ? ["no targets"] : targets + memory
    }

    /// A daemon of another version may send any number, even one beyond the range of `Int`.
    static func whole(_ number: Double) -> String { Int(exactly: number.rounded()).map(String.init) ?? "\(number)" }
}

enum QueueText {
    static func lines(_ queue: ControlQueue) -> [String] {
        let targets = queue.targets.isEmpty ? ["no targets"] : queue.targets.flatMap(lines)
        let since = queue.oldest.map { ", the oldest record is from \($0)" } ?? ""
        return targets + ["database: \(size(queue.bytes))\(since)"] + [queue.removed.map(line)].compactMap(\.self)
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }

    private static func line(_ removed: ControlQueue.Removed) -> String { "removed records: \(counts(removed))" }

    static func counts(_ removed: ControlQueue.Removed) -> String {
        """
        \(removed.delivered) delivered, \(removed.thinned + removed.locations + removed.events) undelivered \
        (locations removed by thinning to 10 m: \(removed.thinned), other locations: \(removed.locations), events: \
        \(removed.events))
        """
    }

    private static func lines(_ target: ControlQueue.Target) -> [String] {
        let waiting = "\(target.waiting)\(target.or_more ? " or more" : "") waiting"
        let rest = target.set_aside - target.records.count
        let kinds = target.kinds.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map { "\($0.value) \($0.key)" }
        let detail =
            kinds.isEmpty ? [] : ["  " + kinds.joined(separator: ", ") + (target.oldest.map { " since \($0)" } ?? "")]
        let fault = target.fault.map { " (\($0))" } ?? ""
        return ["\(target.name): \(waiting), \(target.set_aside) set aside\(fault)"] + detail + target.records.map(line)
            + (rest > 0 ? ["  and \(rest) more"] : [])
    }

    private static func line(_ record: ControlQueue.Record) -> String {
        let words = ["\(record.sequence)", record.time, record.kind ?? "no longer on the device", record.reason]
        return "  " + words.compactMap(\.self).joined(separator: "  ")
    }
}
