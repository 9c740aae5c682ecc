import Foundation
import Peers
import Testing

/// Checks the documented sentences about the presets in replays of 50 minutes of driving and of two hours parked.
@Suite("The presets, in a replay")
struct PresetReplayTests {
    /// A profile, the pauses between its points while driving and while parked, and the largest share of the driving time with
    /// the receiver on.
    ///
    /// The pauses are in seconds; nil if the profile requests no points.
    typealias Row = (profile: String, driving: ClosedRange<Double>?, receiver: Double, parked: ClosedRange<Double>?)

    static let rows: [Row] = [
        ("continuous", 29...31, 1, 29...31), ("continuous-ios", 29...31, 1, 29...31),
        ("responsive", 145...155, 0.35, nil), ("responsive-ios", 145...155, 0.35, nil),
        ("efficient", 360...1205, 0.1, 3590...3610), ("efficient-ios", nil, 0.05, nil),
        ("significant", 300...305, 0.35, nil), ("significant-android", 895...905, 0.05, 895...905),
        ("move", 6...8, 1, 295...305), ("move-android", 9...11, 1, nil), ("interval", 19...22, 0.35, 295...305),
        ("motion", 1.9...2.1, 1, nil), ("trckr", 0.9...1.1, 1, nil), ("manual", nil, 0.01, nil), ("quiet", nil, 0, nil),
    ]

    /// The span from 60 s after the departure until the stop, in seconds of the drive.
    private static let onTheWay = 180.0...3119.0

    @Test("While the vehicle drives, a preset records as often as documented, and uses no more power.", arguments: rows)
    func driving(row: Row) throws {
        let drive = try ReplayedDrive("Synthetic/hour.csv.gz", "--profile", row.profile)
        expect(drive.gaps(in: Self.onTheWay), row.driving, points: drive.points(in: Self.onTheWay).count)
        let share = drive.receiverShare(in: 120...3120)
        #expect(share <= row.receiver, "the receiver was on for \(share) of the time")
        #expect(drive.states.map(\.name) == ["moving", "stationary"])
    }

    @Test("Under CONTINUOUS and the two move modes, the receiver stays on while the vehicle drives.")
    func alwaysOn() throws {
        for profile in ["continuous", "continuous-ios", "move", "move-android"] {
            let drive = try ReplayedDrive("Synthetic/hour.csv.gz", "--profile", profile)
            #expect(drive.receiverShare(in: 130...3110) == 1, "\(profile)")
        }
    }

    @Test("While the vehicle is parked, a preset records as often as documented.", arguments: rows)
    func parked(row: Row) throws {
        let drive = try ReplayedDrive("Synthetic/parked.csv.gz", "--profile", row.profile)
        // The position check at the start causes a fix that the preset does not request.
        let start = row.parked == nil ? 10.0 : 0
        expect(drive.gaps(in: start...7200), row.parked, points: drive.points(in: start...7200).count)
        #expect(drive.states.isEmpty)
        if row.parked == nil { #expect(drive.receiverShare(in: 10...7200) == 0) }
    }

    @Test("Radar's presetEfficient records only stops and departures.")
    func stopsAlone() throws {
        let drive = try ReplayedDrive("Synthetic/hour.csv.gz", "--profile", "efficient-ios")
        let kinds = drive.records.map(\.kind).filter { $0 != "power" }
        // The first record is the first position of a new installation.
        #expect(kinds == ["motionchange", "motionchange", "trip", "visit", "motionchange", "visit", "trip"])
    }

    @Test(
        "The table of a replay shows that presets with lower battery usage have the receiver on for less time.",
        arguments: ["efficient,responsive,continuous", "efficient-ios,responsive-ios,continuous-ios"])
    func power(profiles: String) throws {
        let path = Daemon.root.path + "/Tests/Traces/Synthetic/hour.csv.gz"
        let table = try Daemon.output(["replay", path, "--profile", profiles]).text
        let seconds = table.matches(of: #/ (\d+) s /#).compactMap { Int($0.output.1) }
        #expect(seconds.count == 3)
        #expect(seconds.last ?? 0 > 3000 && zip(seconds, seconds.dropFirst()).allSatisfy { $0 * 2 < $1 * 3 })
    }

    @Test("A departure that a regular fix shows is dated by the distance driven since, not by the previous fix.")
    func departure() throws {
        let drive = try ReplayedDrive("Synthetic/hour.csv.gz", "--profile", "continuous")
        let departure = try #require(drive.records.first { $0.kind == "motionchange" && $0.isMoving })
        // The vehicle departs at 00:02:00.
        #expect(["00:01:56", "00:01:57", "00:01:58", "00:01:59", "00:02:00"].contains(departure.clock))
    }

    /// The drives have 200 s of driving, a stop of 400 s, a second drive of `metres`, and time parked.
    ///
    /// `starts` is the time when the second trip begins, in seconds after the end of the stop; nil if no second trip begins.
    static let wakeUps: [(profile: String, metres: Double, starts: ClosedRange<Double>?)] = [
        // The engine confirms the stop 300 s after it began, and `startDelay` delays the next start by another 900 s.
        ("efficient", 3000, 790...830), ("efficient", 90, nil), ("efficient-ios", 3000, 15...45),
        ("efficient-ios", 280, nil), ("responsive", 3000, 5...15), ("responsive", 90, nil),
    ]

    @Test("A preset wakes up at the distance and time that its documentation promises.", arguments: wakeUps)
    func wakeUp(row: (profile: String, metres: Double, starts: ClosedRange<Double>?)) throws {
        let scratch = try Scratch()
        var drive = SyntheticDrive()
        drive.stand(60)
        drive.drive(200, at: 15)
        drive.stand(400)
        let leaves = Double(drive.length_s)
        drive.drive(Int(row.metres / 15), at: 15)
        drive.stand(1500)
        try scratch.write(drive.csv, to: "drive.csv")
        let replay = try ReplayedDrive(scratch.path + "/drive.csv", "--profile", row.profile)
        let moving = replay.states.filter { $0.name == "moving" }.map { $0.at_s - leaves }
        #expect(moving.first.map { $0 < 0 } == true)
        if let starts = row.starts {
            #expect(moving.count == 2 && starts.contains(moving.last ?? .nan), "\(moving)")
        } else {
            #expect(moving.count == 1, "\(moving)")
        }
    }

    private func expect(_ gaps: [Double], _ range: ClosedRange<Double>?, points: Int) {
        guard let range else { return #expect(points == 0) }
        #expect(points > 1)
        for gap in gaps { #expect(range.contains(gap), "a pause of \(gap) s") }
    }
}
