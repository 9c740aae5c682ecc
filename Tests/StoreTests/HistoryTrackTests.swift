import Quantities
import Store
import Testing
import Tracking

@Suite("Pages of the history for the daemon's clients")
struct HistoryTrackTests {
    private let folder = TemporaryFolder()
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    /// Stores one record per second.
    private func store(
        _ seconds: Range<Int64>, isTrusted: Bool = true,
        _ content: (Int64) -> Tracking.Record.Content = { _ in .location }
    ) throws {
        let queue = try RecordQueue(path: folder.database)
        for second in seconds {
            let time = Self.start + .seconds(second)
            let record = Tracking.Record(
                content(second), time: time, isTimeTrusted: isTrusted, position: nil, isMoving: true,
                odometer: Metres(Double(second)), trip: nil)
            _ = queue.append(
                record, state: EngineState(), at: .sample(at: Double(second), time: time, isTrusted: isTrusted))
            // The queue keeps at most 10 000 records in memory.
            if second % 5000 == 0 { _ = try queue.flush(at: .sample(at: Double(second), time: time)) }
        }
        _ = try queue.flush(
            at: .sample(at: Double(seconds.upperBound), time: Self.start + .seconds(seconds.upperBound)))
        queue.close()
    }

    private func seconds(_ span: ClosedRange<Int64>, most: Int = 10_000) throws -> (seconds: [Int64], pages: Int) {
        let pages = try History(forLoop: folder.database)
        defer { pages.close() }
        let times = Self.start + .seconds(span.lowerBound)...Self.start + .seconds(span.upperBound)
        var (found, count, after): ([Int64], Int, Int64?) = ([], 0, nil)
        repeat {
            let page = try pages.track(in: times, after: after, most: most)
            found += page.records.map { ($0.record.time.milliseconds - Self.start.milliseconds) / 1000 }
            (after, count) = (page.after, count + 1)
        } while after != nil && count < 100
        return (found, count)
    }

    @Test("The pages of a span contain its records once each, in order, including both ends.")
    func pages() throws {
        try store(0..<2000)
        let found = try seconds(100...1500)
        #expect(found.seconds == Array(100...1500))
        #expect(found.pages > 4)
        #expect(try seconds(5000...6000).seconds.isEmpty)
        #expect(try seconds(-100...3).seconds == [0, 1, 2, 3])
    }

    @Test("Of more locations than the client needs, the pages contain each n-th one, and all events.")
    func stride() throws {
        try store(0..<3000) { $0.isMultiple(of: 1000) ? .ping : .location }
        let found = try seconds(0...2999, most: 100)
        #expect(found.seconds.count > 90 && found.seconds.count < 110, "\(found.seconds.count)")
        #expect(Set(found.seconds).isSuperset(of: [0, 1000, 2000]))
    }

    @Test("Parts of the numbers, read on their own, contain the records of the span once each.")
    func parts() throws {
        try store(0..<2000)
        let pages = try History(forLoop: folder.database)
        defer { pages.close() }
        let times = Self.start...Self.start + .seconds(1999)
        let first = try pages.track(in: times, after: nil, most: 10_000)
        let start = try #require(first.after)
        var found = first.records.map(\.sequence)
        #expect(first.last - start == 1700)
        for (after, until) in [(start + 1000, first.last), (start, start + 1000)] {
            var next: Int64? = after
            while let after = next {
                let page = try pages.track(in: times, after: after, until: until, most: 10_000)
                found += page.records.map(\.sequence)
                next = page.after
            }
        }
        #expect(found.count == 2000 && Set(found).count == 2000)
    }

    @Test("A record that was written later than its span is found.")
    func late() throws {
        let queue = try RecordQueue(path: folder.database)
        for (at, of) in [(0, 0), (10, 10), (400, 20), (500, 500)] as [(Int64, Int64)] {
            let record = Tracking.Record(
                .location, time: Self.start + .seconds(of), isTimeTrusted: true, position: nil, isMoving: true,
                odometer: Metres(0), trip: nil)
            _ = queue.append(
                record, state: EngineState(), at: .sample(at: Double(at), time: Self.start + .seconds(at)))
        }
        _ = try queue.flush(at: .sample(at: 501, time: Self.start + .seconds(501)))
        queue.close()
        #expect(try seconds(5...30).seconds == [10, 20])
    }

    @Test("Rows whose time is doubtful do not mislead the search, and gaps in the numbers are passed over.")
    func doubtful() throws {
        try store(0..<1000)
        try folder.execute(
            "UPDATE record SET flags = flags | \(1 << 13), delay_ms = 5000 - time_ms WHERE sequence BETWEEN 300 AND 700"
        )
        try folder.execute("DELETE FROM record WHERE sequence BETWEEN 800 AND 900")
        #expect(try seconds(750...920).seconds == Array(750...798) + Array(900...920))
        #expect(try seconds(100...120).seconds == Array(100...120))
    }

    @Test("The history around a time has its state, its decisions and its records.")
    func history() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in (0..<400).map({ Int64($0 * 10) }) {
            let reading = ClockReading.sample(at: Double(second), time: Self.start + .seconds(second))
            if second == 1000 { queue.decisions.note(isMoving: true, at: reading) }
            if second == 2000 { queue.decisions.note(isMoving: false, at: reading) }
            if second == 3000 { queue.decisions.note(isMoving: true, at: reading) }
            let record = Tracking.Record(
                second == 3990 ? .ping : .location, time: reading.time, isTimeTrusted: true, position: nil,
                isMoving: true,
                odometer: Metres(0), trip: nil)
            _ = queue.append(record, state: EngineState(), at: reading)
        }
        _ = try queue.flush(at: .sample(at: 4000, time: Self.start + .seconds(4000)))
        queue.close()
        let pages = try History(forLoop: folder.database)
        let history = try pages.briefExcerpt(of: Self.start + .seconds(1990)...Self.start + .seconds(2010))
        pages.close()
        #expect(history.initialState?.isMoving == true)
        #expect(history.initialState?.since == Self.start + .seconds(1000))
        #expect(history.entries.map(\.text) == ["stationary"])
        #expect(history.records.map(\.sequence) == [200, 202])
        #expect(history.leftOut == [200: 1])
        #expect(history.known == Self.start...Self.start + .seconds(3990))
    }

    @Test("Of a series of locations, the history contains the first and the last, and the number of the others.")
    func series() throws {
        try store(0..<900) { $0 == 700 ? .ping : .location }
        let pages = try History(forLoop: folder.database)
        defer { pages.close() }
        let history = try pages.briefExcerpt(of: Self.start...Self.start + .seconds(900))
        #expect(history.records.map(\.sequence) == [1, 700, 701, 702, 900])
        #expect(history.leftOut == [1: 698, 702: 197])
    }

    @Test("The history of a busy span has at most 300 records, so that the loop does not decode more in one turn.")
    func busySpan() throws {
        try store(0..<900) { _ in .ping }
        let pages = try History(forLoop: folder.database)
        defer { pages.close() }
        let history = try pages.briefExcerpt(of: Self.start...Self.start + .seconds(900))
        #expect(history.records.map(\.sequence) == Array(1...300))
    }

    @Test(
        "The top speed of a span is that of the ended trips that overlap it, also of a trip that ends after the span.")
    func topSpeed() throws {
        // The trips last from 1000 s to 3000 s and from 8000 s to 20000 s.
        try store(0..<20_010) { second in
            switch second {
            case 1000: .trip(TripReport(number: 1))
            case 3000: .trip(TripReport(number: 1, summary: Self.summary(1000, 3000, topSpeed: 12)))
            case 8000: .trip(TripReport(number: 2))
            case 20_000: .trip(TripReport(number: 2, summary: Self.summary(8000, 20_000, topSpeed: 34)))
            default: .location
            }
        }
        let pages = try History(forLoop: folder.database)
        defer { pages.close() }
        for (span, speed): (ClosedRange<Int64>, Double?) in [
            (0...500, nil), (0...2000, 12), (2000...4000, 12), (4000...7000, nil), (0...9000, 34), (9000...10_000, 34),
            (20_005...20_009, nil),
        ] {
            let found = try pages.topSpeed(
                in: Self.start + .seconds(span.lowerBound)...Self.start + .seconds(span.upperBound))
            #expect(found?.value == speed, "\(span)")
        }
    }

    private static func summary(_ from: Int64, _ to: Int64, topSpeed: Double) -> TripSummary {
        var summary = TripSummary(start: nil, started: start + .seconds(from))
        (summary.ended, summary.topSpeed) = (start + .seconds(to), MetresPerSecond(topSpeed))
        return summary
    }

    @Test("The receiver's changes of a span begin with its last change before the span.")
    func receiver() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in (0..<400).map({ Int64($0 * 10) }) {
            let reading = ClockReading.sample(at: Double(second), time: Self.start + .seconds(second))
            if second == 500 { queue.decisions.note(isMoving: true, at: reading) }
            if second == 1000 { queue.decisions.note(isReceiverOn: true, at: reading) }
            if second == 1500 { queue.decisions.note(Decision(.receiver, "the receiver is available"), at: reading) }
            if second == 2500 { queue.decisions.note(isReceiverOn: false, at: reading) }
            // The last record is an event, and the queue writes the decisions together with this record.
            let record = Tracking.Record(
                second == 3990 ? .ping : .location, time: reading.time, isTimeTrusted: true, position: nil,
                isMoving: true, odometer: Metres(0), trip: nil)
            _ = queue.append(record, state: EngineState(), at: reading)
        }
        _ = try queue.flush(at: .sample(at: 4000, time: Self.start + .seconds(4000)))
        queue.close()
        let pages = try History(forLoop: folder.database)
        let changes = try pages.receiverChanges(in: Self.start + .seconds(2000)...Self.start + .seconds(3000))
        pages.close()
        #expect(changes.map(\.isOn) == [true, false])
        #expect(changes.map(\.time) == [Self.start + .seconds(1000), Self.start + .seconds(2500)])
    }
}
