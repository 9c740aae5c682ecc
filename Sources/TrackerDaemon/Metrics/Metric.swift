import Control
import Delivery
import Hardware
import Quantities
import Tracking

/// A row of the table in docs/metrics.md.
package struct Metric: Sendable {
    package enum Kind: String, Sendable {
        /// A number that only grows, from 0 at the program's start.
        case counter
        case gauge
        /// A sum and a count, from which the reader calculates an average.
        case summary
    }

    struct Sample: Sendable, Hashable {
        var suffix = ""
        var labels: [Label] = []
        let value: Double

        init(_ value: Double, suffix: String = "", _ labels: Label...) {
            (self.value, self.suffix, self.labels) = (value, suffix, labels)
        }

        init(_ isTrue: Bool, _ labels: Label...) { (value, self.labels) = (isTrue ? 1 : 0, labels) }
    }

    struct Label: Sendable, Hashable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    package let name: String
    package let kind: Kind
    /// Without the full stop, which `MetricText` adds.
    package let help: String
    package let labels: [String]
    let samples: @Sendable (MetricValues) -> [Sample]

    fileprivate init(
        _ name: String, _ kind: Kind, _ help: String, labels: [String] = [],
        _ samples: @escaping @Sendable (MetricValues) -> [Sample]
    ) {
        (self.name, self.kind, self.help, self.labels) = ("trackerd_" + name, kind, help, labels)
        self.samples = samples
    }
}

package enum Metrics {
    /// All metrics in the order of the file and of docs/metrics.md.
    package static let all = ofProgram + ofVehicle + ofReceiver + ofRecords + ofTargets

    private static let ofProgram: [Metric] = [
        Metric("up", .gauge, "1 while the daemon runs, 0 after it has ended normally") { [.init($0.isUp)] },
        Metric("build_info", .gauge, "Always 1; the label `version` is the version of the daemon", labels: ["version"])
        {
            [.init(1, .init("version", $0.version))]
        },
        Metric("wakeups_total", .counter, "Wake-ups of the main loop") {
            [.init(Double($0.wakeUps))]
        },
        Metric(
            "loop_longest_turn_seconds", .gauge, "The longest time for which the main loop has worked without a pause"
        ) {
            [.init($0.longestTurn.thousandths)]
        },
        Metric("loop_long_turns_total", .counter, "Turns of the main loop that took longer than 20 ms") {
            [.init(Double($0.longTurns))]
        },
        Metric("bus_errors_total", .counter, "Failed transfers to the accelerometer") {
            $0.busErrors.map { [.init(Double($0))] } ?? []
        },
        Metric("faults", .gauge, "Devices that have a fault; `trackerd status` describes the faults") {
            [.init(Double($0.faults))]
        },
        Metric("supply_volts", .gauge, "The voltage of the vehicle's battery") {
            $0.supply.map { [.init($0.value)] } ?? []
        },
    ]

    private static let ofVehicle: [Metric] = [
        Metric("state", .gauge, "1 for the present state of the vehicle, 0 for the other state", labels: ["state"]) {
            [.init($0.isMoving, .init("state", "moving")), .init(!$0.isMoving, .init("state", "stationary"))]
        },
        Metric("tracking", .gauge, "1 while tracking is on, 0 while it is off or outside its schedule") {
            [.init($0.isTracking)]
        },
        Metric("departures_total", .counter, "Changes from parked to moving") {
            [.init(Double($0.summary.trips))]
        },
        Metric("arrivals_total", .counter, "Changes from moving to parked") {
            [.init(Double($0.summary.stops))]
        },
        Metric("moving_seconds_total", .counter, "The time for which the vehicle was moving") {
            [.init($0.moving.thousandths)]
        },
        Metric("odometer_meters", .gauge, "The odometer, which commands can set") { [.init($0.odometer.value.tenths)] },
    ]

    private static let ofReceiver: [Metric] = [
        Metric("receiver_on", .gauge, "1 while the receiver is on") { [.init($0.isReceiverOn)] },
        Metric("receiver_on_seconds_total", .counter, "The time for which the receiver was on") {
            [.init($0.receiverOn.thousandths)]
        },
        Metric("ttff_seconds", .summary, "The times from switching the receiver on to the first fix") {
            [
                .init($0.firstFixes.total.thousandths, suffix: "_sum"),
                .init(Double($0.firstFixes.count), suffix: "_count"),
            ]
        },
        Metric("last_ttff_seconds", .gauge, "The last time to first fix") {
            $0.firstFixes.last.map { [.init($0.thousandths)] } ?? []
        },
        Metric("last_fix_timestamp_seconds", .gauge, "The time of the last accepted fix") {
            $0.lastFix.map { [.init($0.secondsSince1970)] } ?? []
        },
        Metric(
            "rejected_fixes_total", .counter, "Fixes that the tracker did not use, by reason", labels: ["reason"]
        ) { values in
            FixRejection.allCases.map { reason in
                Metric.Sample(Double(values.summary.refused[reason] ?? 0), .init("reason", reason.rawValue))
            }
        },
    ]

    private static let ofRecords: [Metric] = [
        Metric("records_total", .counter, "Records that the tracker has made, by kind", labels: ["kind"]) { values in
            Record.Kind.allCases.map { kind in
                Metric.Sample(Double(values.summary.recordKinds[kind] ?? 0), .init("kind", kind.rawValue))
            }
        },
        Metric("commits_total", .counter, "Transactions that wrote records to disk") { [.init(Double($0.commits))] },
        Metric("queue_memory_records", .gauge, "Records that are not yet on disk") {
            [.init(Double($0.recordsInMemory))]
        },
    ]

    private static let ofTargets: [Metric] = [
        Metric(
            "queue_records", .gauge, "Records that wait for the target, counted up to 10000", labels: ["target"]
        ) { $0.samples(\.waiting) },
        Metric(
            "queue_oldest_timestamp_seconds", .gauge,
            "The time of the oldest record that waits for the target; missing if none waits", labels: ["target"]
        ) { $0.samples { $0.oldest?.secondsSince1970 } },
        Metric(
            "queue_set_aside_records", .gauge, "Records that are set aside for the target", labels: ["target"]
        ) { $0.samples(\.setAside) },
        Metric(
            "uploads_total", .counter, "Uploads to the target, by result: accepted or failed",
            labels: ["target", "result"]
        ) { values in
            values.targets.flatMap { target -> [Metric.Sample] in
                let name = Metric.Label("target", target.name)
                return [
                    .init(Double(target.uploads.accepted), name, .init("result", "accepted")),
                    .init(Double(target.uploads.failed), name, .init("result", "failed")),
                ]
            }
        },
        Metric("delivered_records_total", .counter, "Records that the target has received", labels: ["target"]) {
            $0.samples { Double($0.uploads.records) }
        },
        Metric(
            "target_up", .gauge, "0 while uploads to the target fail or are held back, otherwise 1", labels: ["target"]
        ) {
            $0.samples { $0.isWorking ? 1 : 0 }
        },
    ]
}

extension MetricValues {
    fileprivate func samples(_ value: (Target) -> Double?) -> [Metric.Sample] {
        targets.compactMap { target in value(target).map { .init($0, .init("target", target.name)) } }
    }

    fileprivate func samples(_ value: (Target) -> Int?) -> [Metric.Sample] {
        samples { value($0).map(Double.init) }
    }
}

extension Timestamp {
    /// Accurate to a millisecond.
    fileprivate var secondsSince1970: Double { Double(milliseconds) / 1000 }
}

struct MetricValues: Sendable {
    struct Target: Sendable {
        let name: String
        /// Nil while the database cannot be read.
        let waiting: Int?
        let oldest: Timestamp?
        let setAside: Int?
        let uploads: UploadCounts
        let isWorking: Bool
    }

    var isUp = true
    var version = ""
    var wakeUps = 0
    var longestTurn = Duration.zero
    var longTurns = 0
    var busErrors: Int?
    var faults = 0
    var supply: Volts?
    var isMoving = false
    var isTracking = true
    var summary = DriveSummary()
    var moving = Duration.zero
    var odometer = Metres.zero
    var isReceiverOn = false
    var receiverOn = Duration.zero
    var firstFixes = FirstFixes()
    var lastFix: Timestamp?
    var commits = 0
    var recordsInMemory = 0
    var targets: [Target] = []
}
