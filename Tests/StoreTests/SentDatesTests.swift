import Quantities
import Store
import Testing
import Tracking

@Suite("Dates that a single source has confirmed")
struct SentDatesTests {
    private let folder = TemporaryFolder()
    /// The UTC time of the boot as stated by a time server that is an hour behind.
    private static let wrongBoot = Timestamp(milliseconds: 1_760_000_000_000)

    private func reading(at second: Double, behind error: Duration = .zero, isCorroborated: Bool = false)
        -> ClockReading
    {
        ClockReading(
            boot: "first", now: Instant(seconds: second), time: Self.wrongBoot + error + Duration(inSeconds: second),
            isTrusted: true, isCorroborated: isCorroborated)
    }

    /// Writes a departure with the time of the clock, or a point of the track with the time of its fix.
    private func write(_ queue: RecordQueue, at second: Double, fix: Timestamp? = nil) throws {
        let now = reading(at: second)
        var record = Record(
            fix == nil ? .motionchange : .location, time: fix ?? now.time, isTimeTrusted: true, position: nil,
            isMoving: true, odometer: .zero, trip: 1)
        record.isTimeCounted = fix == nil ? true : nil
        _ = queue.append(record, state: EngineState(), at: now)
        _ = try queue.flush(at: now)
    }

    /// Corrects the clock at second 50, as a receiver that contradicts the time server would.
    private func correct(_ queue: RecordQueue, behind error: Duration, isProvisional: Bool = false) throws {
        let now = reading(at: 50, behind: error)
        let correction = ClockCorrection(
            boot: "first", before: now.now, bootTime: now.bootTime, isProvisional: isProvisional)
        _ = queue.correctTimestamps(correction, at: now.now)
        _ = try queue.flush(at: now)
    }

    /// Returns the records that await a target, up to a limit.
    ///
    /// After this call, the target may have received these records.
    private func sent(limit: Int = 100) throws -> [StoredRecord] {
        try DeliveryTable(path: folder.database).oldest(awaiting: "home", limit: limit, excluding: [])
    }

    @Test("If the clock proves wrong, records that were sent keep their bytes, and other records are corrected.")
    func alreadySent() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in [20.0, 30] { try write(queue, at: second) }
        let first = try sent(limit: 1)
        try correct(queue, behind: .seconds(3600))
        let all = try sent()
        #expect(all.first == first.first)
        #expect(all.map(\.record.time) == [Self.wrongBoot + .seconds(20), Self.wrongBoot + .seconds(3630)])
        #expect(all.map(\.created) == [Self.wrongBoot + .seconds(20), Self.wrongBoot + .seconds(3630)])
    }

    @Test("The time of a fix does not change when the clock proves wrong, but the creation time does.")
    func fixTime() throws {
        let queue = try RecordQueue(path: folder.database)
        let time = Self.wrongBoot + .seconds(3619)
        try write(queue, at: 20, fix: time)
        try correct(queue, behind: .seconds(3600))
        #expect(try sent().map(\.record.time) == [time])
        #expect(try sent().map(\.created) == [Self.wrongBoot + .seconds(3620)])
    }

    @Test("Dates that several sources have confirmed do not change.")
    func corroborated() throws {
        let queue = try RecordQueue(path: folder.database)
        let now = reading(at: 20, isCorroborated: true)
        let record = Record(
            .motionchange, time: now.time, isTimeTrusted: true, position: nil, isMoving: true, odometer: .zero, trip: 1)
        _ = queue.append(record, state: EngineState(), at: now)
        _ = try queue.flush(at: now)
        try correct(queue, behind: .seconds(3600))
        #expect(try sent().map(\.record.time) == [Self.wrongBoot + .seconds(20)])
    }

    @Test("A clock error of a few seconds causes no correction.")
    func drift() throws {
        let queue = try RecordQueue(path: folder.database)
        try write(queue, at: 20)
        try correct(queue, behind: .seconds(9))
        #expect(try sent().map(\.record.time) == [Self.wrongBoot + .seconds(20)])
    }

    @Test("A correction by a few fixes that prove wrong is itself corrected.")
    func twice() throws {
        let queue = try RecordQueue(path: folder.database)
        try write(queue, at: 20)
        try correct(queue, behind: .seconds(86_400 * 3653), isProvisional: true)
        try correct(queue, behind: .seconds(3600))
        #expect(try sent().map(\.record.time) == [Self.wrongBoot + .seconds(3620)])
    }
}
