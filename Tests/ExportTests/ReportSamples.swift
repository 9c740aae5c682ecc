import Calendar
import Export
import Quantities
import Tracking

/// Records of drives around a depot in Berlin, for reports in a zone that is two hours ahead of UTC.
struct ReportSamples {
    /// 2026-05-01T00:00 in the zone.
    static let midnight = Timestamp(milliseconds: 1_777_586_400_000)
    /// Names that must not become markup or scripts in a report.
    static let hostile = [
        "</script><script>alert(1)</script>", "\"><img onerror=alert(1) src=x>", "a\u{202e}b", "]]>&amp;'`\u{0}\n",
    ]

    private(set) var records: [Record] = []
    private var odometer = 0.0

    /// Adds a drive to the east: a departure, a point each second, and an arrival.
    mutating func drive(
        from start: Int, seconds: Int, speed: Double = 10, north: Double = 0, trip: Int = 1, region: String? = nil,
        driver: String? = nil
    ) {
        add(.motionchange, at: start, east: 0, north, isMoving: true, trip, region, driver)
        for second in 1..<max(seconds, 1) {
            odometer += speed
            add(
                .location, at: start + second, east: Double(second) * speed, north, isMoving: true, trip, nil, driver,
                speed)
        }
        odometer += speed
        add(
            .motionchange, at: start + seconds, east: Double(seconds) * speed, north, isMoving: false, trip, region,
            driver)
    }

    mutating func add(
        _ content: Record.Content, at second: Int, east: Double = 0, _ north: Double = 0, isMoving: Bool = false,
        _ trip: Int? = 1, _ region: String? = nil, _ driver: String? = nil, _ speed: Double? = nil,
        trigger: Record.Trigger? = nil
    ) {
        let home = Coordinate(latitude: 52.5, longitude: 13.4)
        let place = home?.moved(east: Metres(east), north: Metres(north))
        let position = place.map {
            Position(coordinate: $0, accuracy: Metres(4), speed: speed.map { MetresPerSecond($0) })
        }
        var record = Record(
            content, time: Self.midnight + .seconds(second), isTimeTrusted: true, position: position,
            isMoving: isMoving, odometer: Metres(odometer), trip: trip)
        record.regions = region.map { [RegionName(id: "r", name: $0)] }
        record.driver = driver
        record.trigger = trigger
        records.append(record)
    }

    /// Adds a record about the tracker itself, which belongs to no trip.
    mutating func note(_ change: HealthChange, at second: Int) {
        add(.health(HealthReport(change)), at: second, isMoving: false, nil)
    }

    static func input(
        _ subject: ReportSubject = .day(CivilDate(year: 2026, month: 5, day: 1)), device: String = "van1",
        hours: Int = 24
    ) throws -> ReportInput {
        let zone = TimeZoneRules(posix: "CET-2") ?? .utc
        let end = midnight + .seconds(hours * 3600)
        return ReportInput(
            subject, device: device, version: "1.0", span: midnight...end, recorded: midnight...end, zone: zone,
            made: end)
    }

    func html(_ input: ReportInput, uploads: [UploadState] = []) -> String {
        var report = DriveReport(input)
        for record in records { report.add(record, uploads: uploads) }
        return report.html
    }
}

extension ReportSamples {
    mutating func move(_ index: Int, to place: Coordinate, speed: Double) {
        records[index].position?.coordinate = place
        records[index].position?.speed = MetresPerSecond(speed)
    }
}
