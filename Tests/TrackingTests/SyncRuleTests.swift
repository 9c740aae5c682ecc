import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The sync rule")
struct SyncRuleTests {
    private static let place = RegionName(id: "depot", name: "Depot")
    private static let stay = TripSummary(start: nil, started: Samples.start)

    private static let table: [(Record.Content, isMoving: Bool, staysWithStopsAndExits: Bool)] = [
        (.location, true, true), (.motionchange, true, false), (.motionchange, false, false),
        (.visit(Visit(arrived: Samples.start)), false, false),
        (.visit(Visit(arrived: Samples.start, departed: Samples.start)), true, false),
        (.transition(Transition(.enter, by: .area, of: place, text: nil, defined: Samples.start)), true, true),
        (.transition(Transition(.leave, by: .area, of: place, text: nil, defined: Samples.start)), true, false),
        (.transition(Transition(.dwell, by: .area, of: place, text: nil, defined: Samples.start)), true, true),
        (.waypoint(Waypoint(text: "x", defined: Samples.start)), false, true),
        (.trip(TripReport(number: 1)), true, false), (.trip(TripReport(number: 1, summary: stay)), false, false),
        (.ping, false, true), (.providerchange(ProviderChange(.silent)), true, true), (.power(.started), false, true),
        (.optionschange(OptionsChange(origin: "mode")), false, true),
        (.driving(DrivingEvent(.impact, peak: nil, lasted: .zero)), true, true),
    ]

    @Test(
        "The sync rule withholds no record, every record, or all records but stops and departures.", arguments: table)
    func withholds(content: Record.Content, isMoving: Bool, stays: Bool) {
        let record = record(content, isMoving: isMoving)
        #expect(!SyncRule.all.withholds(record))
        #expect(SyncRule.none.withholds(record))
        #expect(SyncRule.stopsAndExits.withholds(record) == stays)
    }

    @Test("The sync rule never withholds the answer to a request.", arguments: SyncRule.allCases)
    func request(rule: SyncRule) {
        #expect(!rule.withholds(record(.request(RequestAnswer(action: nil, took: .zero)), isMoving: true)))
    }

    @Test("The engine marks and stores a record that the sync rule withholds from servers.")
    func engine() {
        var world = World { $0.sync = .stopsAndExits }
        world.park()
        let driven = world.drive(from: 100, seconds: 60).compactMap(\.record)
        let out = driven.filter { $0.isWithheld == nil }
        #expect(driven.count > out.count && out.allSatisfy { $0.kind == .motionchange || $0.kind == .trip })
        #expect(out.contains { $0.kind == .motionchange && $0.isMoving })
        let stop = world.tell(.command(.stay), at: 170).compactMap(\.record).last { $0.kind == .motionchange }
        #expect(stop != nil && stop?.isWithheld == nil)
    }

    private func record(_ content: Record.Content, isMoving: Bool) -> Record {
        Record(
            content, time: Samples.start, isTimeTrusted: true, position: nil, isMoving: isMoving, odometer: .zero,
            trip: nil)
    }
}
