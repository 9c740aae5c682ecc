import Testing

@Suite("Options of the schedule, in a replay")
struct ScheduleReplayTests {
    /// A vehicle that drives from 00:01 to 00:09 on a Thursday.
    private static let early: SyntheticDrive = {
        var drive = SyntheticDrive()
        drive.stand(60)
        drive.drive(480, at: 15)
        drive.stand(400)
        return drive
    }()

    /// The section `tracking`, and the times at which the trip begins and ends, in seconds; nil for no trip.
    static let rows: [(tracking: String, begins_s: ClosedRange<Double>?, ends_s: ClosedRange<Double>?)] = [
        ("{}", 60...65, 715...725),
        ("{startTrackingAfter: \"2026-01-01T00:03:00Z\"}", 180...185, 715...725),
        ("{startTrackingAfter: \"2026-01-02T00:00:00Z\"}", nil, nil),
        ("{stopTrackingAfter: \"2026-01-01T00:05:00Z\"}", 60...65, 300...301),
        ("{radar: {startTrackingAfter: \"2026-01-01T00:03:00Z\"}}", 180...185, 835...850),
        ("{radar: {stopTrackingAfter: \"2026-01-01T00:05:00Z\"}}", 60...65, 300...301),
        ("{radar: {startTrackingAfter: null, stopTrackingAfter: null}}", 60...65, 835...850),
        ("{trackingSchedule: \"3-59 0 * * *\"}", 180...185, 715...725),
        ("{trackingSchedule: \"0-4 0 * * 4\"}", 60...65, 300...301),
        ("{trackingSchedule: \"* 0 * * 1-3\"}", nil, nil),
        ("{trackingSchedule: \"3-59 0 * * *\", trackOutsideSchedule: true}", 60...65, 715...725),
        ("{trckr: {trackingSchedule: \"3-59 0 * * *\"}}", 180...185, 650...665),
        ("{trckr: {trackingEnabled: \"* 10-20 * * 1,2,3,4,5\"}}", nil, nil),
        ("{trckr: {trackingEnabled: true}}", 60...65, 650...665),
        ("{startTime: \"00:03\"}", 180...185, 715...725), ("{endTime: \"00:05\"}", 60...65, 300...301),
        ("{geoManager: {startTime: \"00:03\"}}", 180...185, 835...850),
        ("{geoManager: {startTime: {hours: 0, minutes: 3}}}", 180...185, 835...850),
        ("{geoManager: {endTime: {hours: 0, minutes: 5}}}", 60...65, 300...301),
        // The start is not before the end, so both defaults apply.
        ("{geoManager: {startTime: \"00:05\", endTime: \"00:03\"}}", 60...65, 835...850),
    ]

    @Test("A schedule limits a trip to the times in which tracking is allowed.", arguments: rows)
    func trip(tracking: String, begins_s: ClosedRange<Double>?, ends_s: ClosedRange<Double>?) throws {
        let drive = try ReplayedDrive(Self.early, tracking: tracking)
        let times = drive.states.map(\.at_s)
        guard let begins_s, let ends_s else {
            #expect(times.isEmpty && drive.points(in: 0...940).isEmpty)
            return #expect(drive.receiver.isEmpty)
        }
        try #require(drive.states.map(\.name) == ["moving", "stationary"])
        #expect(begins_s.contains(times[0]) && ends_s.contains(times[1]), "\(times)")
        let points = drive.records.filter { $0.kind == "location" }.map(\.made_s)
        #expect(points.allSatisfy { (times[0]...times[1]).contains($0) })
    }

    @Test(
        "If tracking is allowed outside the schedule, exactly the records outside the schedule have the tag.",
        arguments: [
            """
            {trackingSchedule: "3-59 0 * * *", trackOutsideSchedule: true, tagForOffScheduleTracking: private}
            """,
            """
            {trckr: {trackingSchedule: "3-59 0 * * *", shouldTrackOutsideSchedule: true, tagForOffScheduleTracking: private}}
            """,
        ])
    func tags(tracking: String) throws {
        let drive = try ReplayedDrive(Self.early, tracking: tracking)
        #expect(drive.states.map(\.name) == ["moving", "stationary"])
        let (outside, inside) = (drive.records.filter { $0.made_s < 180 }, drive.records.filter { $0.made_s >= 180 })
        for records in [outside, inside] { #expect(Set(records.map(\.kind)).isSuperset(of: ["location", "trip"])) }
        #expect(outside.allSatisfy { $0.tag == "private" })
        #expect(inside.allSatisfy { $0.tag == nil })
    }

    @Test(
        "GeoManager's day ends after the last minute before midnight, so a trip continues at midnight.",
        arguments: [("{geoManager: {}}", false), ("{geoManager: {endTime: \"23:58\"}}", true)])
    func midnight(tracking: String, isCut: Bool) throws {
        var late = SyntheticDrive()
        late.stand(3300)
        late.drive(600, at: 15)
        late.stand(400)
        // The replay begins at 23:00 in this zone, so the vehicle drives from 23:55 to 00:05.
        let drive = try ReplayedDrive(late, tracking: tracking, timeZone: "Atlantic/Cape_Verde")
        let midnight = 3600.0
        #expect(drive.states.first.map { (3300...3305).contains($0.at_s) } == true)
        #expect(drive.states.contains { $0.name == "stationary" && $0.at_s < midnight } == isCut)
        #expect(drive.points(in: midnight - 60...midnight).isEmpty == isCut)
        #expect(!drive.points(in: midnight + 30...midnight + 300).isEmpty)
    }
}
