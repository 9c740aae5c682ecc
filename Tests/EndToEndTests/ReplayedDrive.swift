import Foundation
import Peers
import Testing

/// The records, the states, the receiver's times and the refused fixes in the output of `trackerd replay`.
struct ReplayedDrive {
    struct Record {
        let kind: String
        /// The time when the replay made the record, in seconds since the start of the replay.
        let made_s: Double
        /// The record's time of day, as `hh:mm:ss`.
        let clock: String
        /// Whether the vehicle moves from this record on.
        let isMoving: Bool
        /// The longitude of the position in degrees, and the horizontal error in metres; nil without a position.
        let longitude: Double?
        let accuracy_m: Double?
        let tag: String?
    }

    /// In the order of `made_s`.
    let records: [Record]
    /// The changes of the vehicle's state: the time in seconds, and the new state.
    let states: [(at_s: Double, name: String)]
    /// The spans in which the receiver was on, in seconds; the last span is unbounded if the receiver stayed on.
    let receiver: [ClosedRange<Double>]
    let refused: [String: Int]

    /// Replays a drive of `Tests/Traces`, or a drive at an absolute path, with these options of the command.
    init(_ drive: String, _ options: String...) throws {
        let path = drive.hasPrefix("/") ? drive : Daemon.root.path + "/Tests/Traces/" + drive
        let (text, errors, status) = try Daemon.output(["replay", path] + options)
        try #require(status == 0, "\(errors)")
        let lines = try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        func events(_ name: String) -> [[String: Any]] { lines.filter { $0["event"] as? String == name } }
        func time(_ event: [String: Any]) -> Double { event["t"] as? Double ?? .nan }
        records = events("record").map { event in
            let text = event["time"] as? String ?? ""
            return Record(
                kind: event["kind"] as? String ?? "", made_s: time(event),
                clock: String(text.split(separator: "T").last?.prefix(8) ?? ""),
                isMoving: event["moving"] as? Bool ?? false, longitude: event["lon"] as? Double,
                accuracy_m: event["accuracy_m"] as? Double, tag: event["tag"] as? String)
        }
        refused = events("summary").last?["refused"] as? [String: Int] ?? [:]
        states = events("state").map { (time($0), $0["state"] as? String ?? "") }
        var (spans, since) = ([ClosedRange<Double>](), Double?.none)
        for event in events("receiver") {
            let isOn = event["power"] as? String == "on"
            if let began = since, !isOn { spans.append(began...time(event)) }
            since = isOn ? since ?? time(event) : nil
        }
        if let since { spans.append(since ... .infinity) }
        receiver = spans
    }

    init(_ drive: String, tracking: String, timeZone: String = "UTC") throws {
        let scratch = try Scratch()
        try scratch.write("device: van1\ntimeZone: \(timeZone)\ntracking: \(tracking)\n", to: "config.yaml")
        self = try withExtendedLifetime(scratch) { try Self(drive, "--config", scratch.path + "/config.yaml") }
    }

    init(_ drive: SyntheticDrive, tracking: String, timeZone: String = "UTC") throws {
        let scratch = try Scratch()
        try scratch.write(drive.csv, to: "drive.csv")
        self = try withExtendedLifetime(scratch) {
            try Self(scratch.path + "/drive.csv", tracking: tracking, timeZone: timeZone)
        }
    }

    /// Returns the track points that the replay made within a span of seconds; the first position of the installation is also a
    /// track point.
    func points(in span: ClosedRange<Double>) -> [Record] {
        let first = records.first {
            $0.kind == "motionchange" && !$0.isMoving && $0.made_s < (states.first?.at_s ?? .infinity)
        }
        let points = (first.map { [$0] } ?? []) + records.filter { $0.kind == "location" }
        return points.filter { span.contains($0.made_s) }
    }

    /// The pauses between the points of `points(in:)`, in seconds.
    func gaps(in span: ClosedRange<Double>) -> [Double] {
        let times = points(in: span).map(\.made_s)
        return zip(times, times.dropFirst()).map { $1 - $0 }
    }

    func receiverShare(in span: ClosedRange<Double>) -> Double {
        let on = receiver.filter { $0.overlaps(span) }.map { $0.clamped(to: span) }
        return on.reduce(0) { $0 + $1.upperBound - $1.lowerBound } / (span.upperBound - span.lowerBound)
    }
}
