import Calendar
import Quantities
import Testing
import Tracking

@testable import Export

@Suite("The timeline of a report")
struct ReportTimelineTests {
    private func collected(_ samples: ReportSamples, _ input: ReportInput, uploads: [UploadState] = [])
        -> ReportCollector
    {
        var collector = ReportCollector(input)
        for record in samples.records { collector.add(record, uploads: uploads) }
        collector.finish()
        return collector
    }

    private func second(_ time: Timestamp?) -> Int? { time.map { Int(($0 - ReportSamples.midnight).inSeconds) } }

    @Test("The vehicle is parked, drives and is parked again, with the times of departure and arrival.")
    func states() throws {
        var samples = ReportSamples()
        samples.drive(from: 3600, seconds: 300, region: "Depot")
        let collector = collected(samples, try ReportSamples.input(hours: 2))
        #expect(collector.states.spans.map(\.state) == [.parked, .moving, .parked])
        #expect(collector.states.spans.map { second($0.from) } == [0, 3600, 3900])
        #expect(collector.states.total(.moving) == .seconds(300))
        #expect(collector.distance == Metres(3000))
    }

    @Test("The time between the end of the program and its next start is neither parked nor moving.")
    func off() throws {
        var samples = ReportSamples()
        samples.add(.power(.started), at: 60)
        samples.add(.power(.shutdown), at: 600)
        samples.add(.power(.started), at: 900)
        let collector = collected(samples, try ReportSamples.input(hours: 1))
        #expect(collector.states.spans.map(\.state) == [.off, .parked, .off, .parked])
        #expect(collector.states.spans.map { second($0.from) } == [0, 60, 600, 900])
    }

    @Test("A departure that the accelerometer detected just before the first record is not ended by that record.")
    func earlyDeparture() throws {
        var samples = ReportSamples()
        samples.add(.motionchange, at: 56, isMoving: true)
        samples.add(.power(.started), at: 60)
        samples.add(.motionchange, at: 300)
        let collector = collected(samples, try ReportSamples.input(hours: 1))
        #expect(collector.states.total(.moving) == .seconds(244))
    }

    @Test("A vehicle that departs in a private place drives from the first record after the private period.")
    func privateDeparture() throws {
        var samples = ReportSamples()
        samples.add(.power(.started), at: 0)
        samples.note(.privacyBegan, at: 10)
        samples.note(.privacyEnded, at: 1000)
        samples.add(.trip(TripReport(number: 1)), at: 1000, east: 300, isMoving: true)
        for second in [1000, 1005, 1010] {
            samples.add(.location, at: second, east: Double(second) - 700, isMoving: true, 1, nil, nil, 10)
        }
        samples.add(.motionchange, at: 1100, east: 1300)
        samples.add(.location, at: 1105, east: 1300, isMoving: true, 1, nil, nil, 0)
        samples.add(.power(.shutdown), at: 2000, east: 1300)
        let collector = collected(samples, try ReportSamples.input(hours: 1))
        #expect(collector.states.spans.map(\.state) == [.parked, .hidden, .moving, .parked, .off])
        #expect(collector.states.spans.map { second($0.from) } == [0, 10, 1000, 1100, 2000])
        #expect(collector.segments.joined().compactMap { second($0.time) }.first == 1000)
        #expect(collector.segments.joined().compactMap { second($0.time) }.last == 1100)
        #expect(collector.stops.stops.map { second($0.arrived) } == [1100])
    }

    @Test("A day that begins in a private place is private until the first record after it, and then shows the drive.")
    func privateNight() throws {
        var samples = ReportSamples()
        samples.add(.ping, at: 100)
        samples.note(.privacyEnded, at: 1000)
        samples.add(.trip(TripReport(number: 4)), at: 1010, isMoving: true, 4)
        samples.note(.privacyBegan, at: 1600)
        samples.add(.power(.shutdown), at: 1700)
        samples.add(.power(.started), at: 1800)
        let collector = collected(samples, try ReportSamples.input(hours: 1))
        #expect(collector.states.spans.map(\.state) == [.hidden, .moving, .hidden, .off, .hidden])
        #expect(collector.states.spans.map { second($0.from) } == [0, 1010, 1600, 1700, 1800])
        #expect(collector.stops.stops.isEmpty)
        #expect(try samples.html(ReportSamples.input()).contains(#"<li class="hidden">private</li>"#))
    }

    @Test("A departure in a private time ends the stop at the first record of the drive.")
    func privateTime() throws {
        var samples = ReportSamples()
        samples.drive(from: 100, seconds: 60)
        samples.note(.privacyBegan, at: 500)
        samples.note(.privacyEnded, at: 800)
        samples.add(.trip(TripReport(number: 2)), at: 801, isMoving: true, 2)
        samples.add(.motionchange, at: 900, isMoving: false, 2)
        let stops = collected(samples, try ReportSamples.input()).stops.stops
        #expect(stops.map { second($0.arrived) } == [nil, 160, 900])
        #expect(stops.map { second($0.left) } == [100, 801, nil])
    }

    @Test("Stops have the times of arrival and departure, and the first and the last one are open.")
    func stops() throws {
        var samples = ReportSamples()
        samples.drive(from: 3600, seconds: 300, region: "Depot")
        samples.drive(from: 5000, seconds: 100)
        let stops = collected(samples, try ReportSamples.input()).stops.stops
        #expect(stops.map { second($0.arrived) } == [nil, 3900, 5100])
        #expect(stops.map { second($0.left) } == [3600, 5000, nil])
        #expect(stops.map(\.regions) == [["Depot"], ["Depot"], []])
        #expect(stops[1].length == .seconds(1100))
    }

    @Test("A vehicle that was parked all day has one stop without times, and a visit supplies an earlier arrival.")
    func parked() throws {
        var samples = ReportSamples()
        samples.add(.ping, at: 60)
        #expect(collected(samples, try ReportSamples.input()).stops.stops.map(\.left) == [nil])
        samples = ReportSamples()
        samples.add(.motionchange, at: 100, isMoving: true)
        let arrived = ReportSamples.midnight - .seconds(500)
        samples.add(
            .visit(Visit(arrived: arrived, departed: ReportSamples.midnight + .seconds(100))), at: 100, isMoving: true)
        #expect(collected(samples, try ReportSamples.input()).stops.stops.map(\.length) == [.seconds(600)])
    }

    @Test("A vehicle that was parked when the program started has not arrived then.")
    func found() throws {
        var samples = ReportSamples()
        samples.add(.power(.started), at: 10)
        samples.add(.motionchange, at: 15)
        samples.drive(from: 100, seconds: 60)
        let stops = collected(samples, try ReportSamples.input()).stops.stops
        #expect(stops.map { second($0.arrived) } == [nil, 160] && stops.map { second($0.left) } == [100, nil])
    }

    @Test(
        "A vehicle that a ferry carried while trackerd slept has the speeds of its drives only.",
        arguments: [(31_400, 0, true), (31_400, 45, false), (27_600, 45, true), (3000, 45, false), (900, 20, true)])
    func ferry(carried: Double, seconds: Int, hasSpeeds: Bool) throws {
        var samples = ReportSamples()
        samples.add(.motionchange, at: 100, isMoving: true)
        let speed = hasSpeeds ? 17.0 : nil
        for second in stride(from: seconds, through: 300, by: 12) {
            let east = carried + 17 * Double(second - seconds)
            samples.add(.location, at: 100 + second, east: east, isMoving: true, 1, nil, nil, speed)
        }
        let collector = collected(samples, try ReportSamples.input())
        #expect(Int(collector.topSpeed.value.rounded()) == 17)
        let isFerry = carried > 2000
        #expect(collector.segments.count == (isFerry ? 2 : 1))
        #expect(collector.segments.joined().allSatisfy { $0.speed.value < 18 })
    }

    @Test("A departure that nobody saw is no part of the line to the first fix, however near that is.")
    func unseen() throws {
        var samples = ReportSamples()
        samples.add(.motionchange, at: 100, isMoving: true, trigger: .movedUnseen)
        samples.add(.location, at: 140, east: 600, isMoving: true, 1, nil, nil, 5)
        #expect(collected(samples, try ReportSamples.input()).segments.map(\.count) == [1, 1])
    }

    @Test("A step that no vehicle can drive divides the track.")
    func step() throws {
        var samples = ReportSamples()
        for (second, east) in [(100, 0.0), (120, 300), (140, 9000), (160, 9300)] {
            samples.add(.location, at: second, east: east, isMoving: true)
        }
        let collector = collected(samples, try ReportSamples.input())
        #expect(collector.segments.map { $0.map { second($0.time) } } == [[100, 110, 120], [140, 150, 160]])
        #expect(Int(collector.topSpeed.value.rounded()) == 15)
    }

    @Test("Between two distant points the speed is the mean, and points after the arrival are no part of the track.")
    func sparse() throws {
        var samples = ReportSamples()
        samples.add(.motionchange, at: 100, isMoving: true)
        samples.add(.location, at: 140, east: 800, isMoving: true, 1, nil, nil, 5)
        samples.add(.motionchange, at: 180, east: 1000)
        samples.add(.location, at: 200, east: 1000, isMoving: true, 1, nil, nil, 0)
        let collector = collected(samples, try ReportSamples.input())
        #expect(collector.segments.map { $0.map { second($0.time) } } == [[100, 140, 160, 180]])
        let speeds = collector.segments.joined().map { Int($0.speed.value.rounded()) }
        #expect(speeds == [0, 5, 5, 0])
        #expect(Int(collector.topSpeed.value.rounded()) == 5)
    }

    @Test("The receiver's strip follows the decision log, and ends when the program ends.")
    func receiver() throws {
        var samples = ReportSamples()
        samples.add(.power(.started), at: 0)
        samples.add(.power(.shutdown), at: 3000)
        var input = try ReportSamples.input(hours: 1)
        let off = collected(samples, input).states.spans.filter { $0.state == .off }
        #expect(ReceiverSpans(input, off: off) == nil)
        let switches = [(100, true), (400, false), (2000, true)]
        input.notes = switches.map { (ReportSamples.midnight + .seconds($0.0), .receiver(isOn: $0.1)) }
        var spans = try #require(ReceiverSpans(input, off: off)).on
        #expect(
            spans.map { second($0.lowerBound) } == [100, 2000] && spans.map { second($0.upperBound) } == [400, 3000])
        (input.notes, input.wasReceiverOn) = ([], true)
        spans = try #require(ReceiverSpans(input, off: [])).on
        #expect(spans.map { second($0.upperBound) } == [3600])
    }

    @Test("A column of the uploads shows the worst state of its records.")
    func uploads() throws {
        let span = ReportSamples.midnight...ReportSamples.midnight + .seconds(250)
        var strip = UploadStrip(target: "home", span: span)
        strip.add(.delivered, at: ReportSamples.midnight)
        strip.add(.setAside, at: ReportSamples.midnight)
        strip.add(.delivered, at: ReportSamples.midnight + .seconds(2))
        strip.add(.waiting, at: ReportSamples.midnight + .seconds(4))
        #expect(Array(strip.columns.prefix(6)) == [.setAside, .setAside, .delivered, .delivered, .waiting, nil])
        #expect(strip.counts == [.delivered: 2, .setAside: 1, .waiting: 1])
    }

    @Test("A day with data for a few hours shows only these hours, and any other day shows all 24.")
    func shown() throws {
        var input = try ReportSamples.input()
        #expect(input.shown == input.span)
        input.recorded = ReportSamples.midnight + .seconds(7200)...ReportSamples.midnight + .seconds(14_400)
        #expect(input.shown == input.recorded)
        input.recorded = ReportSamples.midnight + .seconds(7200)...ReportSamples.midnight + .seconds(50_000)
        #expect(input.shown == input.span)
    }

    @Test("The marks of a day are round local times, also on the day with 25 hours.")
    func marks() throws {
        let zone = try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
        let midnight = Timestamp(year: 2025, month: 10, day: 25) + .seconds(22 * 3600)
        let axis = TimeAxis(span: midnight...midnight + .seconds(25 * 3600), text: ReportText(zone: zone))
        #expect(
            axis.marks.map(\.label) == [
                "00:00", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "00:00",
            ])
        #expect(axis.marks[1].share == 4.0 / 25)
        #expect(axis.text.offsets(axis.span) == "UTC+2, later UTC+1")
    }

    @Test("Distances and durations are written in a short form.")
    func figures() {
        let distances = [7.4, 999.4, 999.6, 9994, 9996, 12_000, 1_234_567].map { ReportText.distance(Metres($0)) }
        #expect(distances == ["7 m", "999 m", "1.00 km", "9.99 km", "10.0 km", "12.0 km", "1235 km"])
        let durations = [5, 65, 120, 754, 3660, 200_000].map { ReportText.duration(.seconds($0)) }
        #expect(durations == ["5 s", "1 min 5 s", "2 min", "13 min", "1 h 1 min", "2 d 7 h"])
    }

    @Test("The places of a month combine visits to the same place, and begin with the place with the longest time.")
    func places() throws {
        var samples = ReportSamples()
        samples.drive(from: 1000, seconds: 100, region: "Depot")
        samples.drive(from: 2000, seconds: 100, region: "Shop")
        samples.drive(from: 9000, seconds: 100, region: "Depot")
        let places = PlaceList(collected(samples, try ReportSamples.input()).stops.stops).places
        #expect(places.map(\.regions) == [["Shop"], ["Depot"]])
        #expect(places.map(\.visits) == [1, 3] && places.map(\.total) == [.seconds(6900), .seconds(900)])
    }
}
