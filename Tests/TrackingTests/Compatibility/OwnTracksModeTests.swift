import Compatibility
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("OwnTracks' modes")
struct OwnTracksModeTests {
    /// The examples in OwnTracks' booklet, with a fix every 10 s: the duration of a drive in seconds, its length in metres, and
    /// the seconds at which trackerd makes records.
    static let examples: [(seconds: Int, metres: Double, records: [Int])] = [
        (14_400, 0, []), (290, 600, []), (300, 505, [300]), (300, 10_000, [300]), (600, 20_000, [300, 600]),
    ]

    @Test(
        "OwnTracks' significant mode records after 500 m or more, at most once in 5 minutes.", arguments: examples
    )
    func significant(seconds: Int, metres: Double, records: [Int]) throws {
        let speed = metres / Double(seconds)
        #expect(try self.records(of: "significant", for: seconds, step: 10, at: speed) == records)
    }

    @Test(
        "OwnTracks' move mode makes a record at 100 m or after 300 s, whichever is first.",
        arguments: [(11, [10, 20, 30]), (0.1, [300, 600]), (0, [300, 600])] as [(speed: Double, records: [Int])])
    func move(speed: Double, records: [Int]) throws {
        let seconds = speed > 1 ? 30 : 600
        #expect(try self.records(of: "move", for: seconds, step: 1, at: speed) == records)
    }

    @Test("OwnTracks' move mode on Android makes a record every 10 s, at any distance.", arguments: [0.0, 1, 40])
    func moveOnAndroid(speed: Double) throws {
        #expect(try records(of: "move-android", for: 35, step: 1, at: speed) == [10, 20, 30])
    }

    @Test("OwnTracks' significant mode on Android makes a record every 15 minutes.", arguments: [0.0, 1, 40])
    func significantOnAndroid(speed: Double) throws {
        #expect(try records(of: "significant-android", for: 2000, step: 10, at: speed) == [900, 1800])
    }

    @Test("OwnTracks' modes can be switched at run time, and survive a restart.", arguments: MonitoringMode.allCases)
    func switched(mode: MonitoringMode) {
        var world = World()
        world.park()
        let effects = world.tell(.command(.mode(mode)), at: 10)
        #expect(effects.contains { $0.record?.kind == .optionschange } == (mode != .move))
        #expect(world.engine.status.resolvedOptions.options.monitoring == mode)
        let restarted = Engine(Profile.vehicle.options, restoring: world.engine.state)
        #expect(restarted.status.mode == mode)
    }

    /// Contents and triggers of records, each with the lowest mode in which servers receive such a record.
    static let contents: [(Record.Content, trigger: Record.Trigger?, from: MonitoringMode)] = [
        (.request(RequestAnswer(action: nil, took: .zero)), nil, .quiet),
        (.waypoint(Waypoint(text: "Home", coordinate: nil, defined: Samples.start)), nil, .quiet),
        (
            .transition(
                Transition(
                    .enter, by: .area, of: RegionName(id: "a", name: "A"), text: "A", defined: Samples.start)), nil,
            .manual
        ),
        (.location, .region, .manual), (.location, .beacon, .manual), (.location, .follow, .manual),
        (.location, nil, .significant), (.motionchange, nil, .significant), (.ping, nil, .significant),
        (.trip(TripReport(number: 1)), nil, .significant), (.visit(Visit(arrived: Samples.start)), nil, .significant),
        (.power(.started), nil, .significant), (.optionschange(OptionsChange(origin: "mode")), nil, .significant),
        (.providerchange(ProviderChange(.silent)), nil, .significant),
        (.driving(DrivingEvent(.tow, peak: nil, lasted: .zero)), nil, .significant),
    ]

    @Test("Quiet mode sends only answers and waypoints, and manual mode also region events.")
    func withheld() {
        for (content, trigger, lowest) in Self.contents {
            for mode in MonitoringMode.allCases {
                var bench = ComponentBench()
                bench.options.monitoring = mode
                let time = UTCTime(Samples.start, isTrusted: true)
                let record = bench.equipment.logbook.record(
                    content, at: nil, time, trigger: trigger, bench.turn(at: .boot))
                let isOut = record.isWithheld == nil
                #expect(isOut == (mode.rawValue >= lowest.rawValue), "\(record.kind) in \(mode)")
            }
        }
    }

    /// Returns the seconds after the start at which a drive at this speed has records, with a fix every `step` seconds.
    private func records(of profile: String, for seconds: Int, step: Int, at speed: Double) throws -> [Int] {
        let options = try #require(Profile.named(profile)).options
        var sampler = Sampler(options)
        var last = TrackPoint(try Samples.accepted(0))
        return try stride(from: step, through: seconds, by: step).filter { second in
            let fix = try Samples.accepted(Double(second), east: Double(second) * speed, speed: speed)
            let isRecorded = !sampler.sample(fix, after: last, isAtRest: false, options).isEmpty
            if isRecorded { last = TrackPoint(fix) }
            return isRecorded
        }
    }
}
