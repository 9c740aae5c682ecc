import Devices
import Quantities
import Testing
import Tracking

@Suite("Merging gpsd's reports")
struct EpochMergerTests {
    private var merger = EpochMerger()
    private let start = Instant(seconds: 100)

    @Test("Complete reports become a fix at once.")
    mutating func complete() {
        #expect(merger.add(fix(1), at: start) == [fix(1)])
        #expect(merger.deadline == nil)
    }

    @Test("Incomplete reports become a fix when the missing part arrives.")
    mutating func parts() {
        #expect(merger.add(fix(1, speed: nil), at: start) == [])
        #expect(merger.add(fix(1, accuracy: nil), at: start + .milliseconds(100)) == [fix(1)])
    }

    @Test("The reports of an epoch become one fix with the values of all these reports.")
    mutating func united() {
        var (first, second) = (fix(1, speed: nil), fix(1, accuracy: nil))
        first.climb = MetresPerSecond(0.5)
        first.jamming = 37
        (second.hdop, second.vdop, second.pdop) = (0.9, 1.3, 1.6)
        var whole = fix(1)
        (whole.climb, whole.jamming) = (MetresPerSecond(0.5), 37)
        (whole.hdop, whole.vdop, whole.pdop) = (0.9, 1.3, 1.6)
        #expect(merger.add(first, at: start) == [])
        #expect(merger.add(second, at: start + .milliseconds(100)) == [whole])
    }

    @Test("Incomplete reports become a fix when the timeout ends.")
    mutating func patience() {
        #expect(merger.add(fix(1, speed: nil), at: start) == [])
        #expect(merger.deadline == start + .milliseconds(500))
        #expect(merger.expire(at: start + .milliseconds(499)) == [])
        #expect(merger.expire(at: start + .milliseconds(500)) == [fix(1, speed: nil)])
        #expect(merger.expire(at: start + .milliseconds(501)) == [])
    }

    @Test("Incomplete reports become a fix when the next epoch begins.")
    mutating func next() {
        #expect(merger.add(fix(1, speed: nil), at: start) == [])
        #expect(merger.add(fix(2), at: start + .milliseconds(100)) == [fix(1, speed: nil), fix(2)])
    }

    @Test("A fix does not wait for parts that this receiver never sends.")
    mutating func learnt() {
        #expect(merger.add(fix(1, speed: nil), at: start) == [])
        #expect(merger.add(fix(2, speed: nil), at: start + .seconds(1)) == [fix(1, speed: nil), fix(2, speed: nil)])
        #expect(merger.add(fix(3, speed: nil), at: start + .seconds(2)) == [fix(3, speed: nil)])
    }

    @Test("A fix waits again for a part that came late before.")
    mutating func learntAgain() {
        _ = merger.add(fix(1, speed: nil), at: start)
        _ = merger.add(fix(2, speed: nil), at: start + .seconds(1))
        #expect(merger.add(fix(2), at: start + .milliseconds(1100)) == [])
        #expect(merger.add(fix(3, speed: nil), at: start + .seconds(2)) == [])
        #expect(merger.add(fix(3), at: start + .milliseconds(2100)) == [fix(3)])
    }

    @Test("Repeated reports of an epoch become one fix.")
    mutating func repeated() {
        #expect(merger.add(fix(1), at: start) == [fix(1)])
        #expect(merger.add(fix(1), at: start + .milliseconds(900)) == [])
    }

    @Test("If the receiver's clock stops, its reports are passed on about once a second, with or without a fix.")
    mutating func frozen() {
        for report in [Fix(mode: .noFix, time: Timestamp(milliseconds: 0)), fix(0)] {
            merger = EpochMerger()
            _ = merger.add(report, at: start)
            let told = (1...40).flatMap { merger.add(report, at: start + .milliseconds(250 * $0)) }
            #expect((9...11).contains(told.count))
        }
    }

    @Test(
        "An epoch whose fix comes between reports without a fix, or in two parts before one, gives the fix in each epoch.",
        arguments: [[1, 3, 1], [2, 3, 1], [1, 3], [3, 1]])
    mutating func between(modes: [Int]) {
        for second in 1...4 {
            let reports = modes.map { mode in
                mode == 1
                    ? Fix(mode: .noFix, time: Timestamp(milliseconds: Int64(second) * 1000))
                    : fix(Int64(second), speed: mode == 3 ? 10 : nil)
            }
            let begin = start + .seconds(second)
            var told = reports.flatMap { merger.add($0, at: begin) }
            told += merger.expire(at: begin + .milliseconds(600))
            #expect(told.contains(fix(Int64(second))), "second \(second)")
        }
    }

    @Test("A report without a time belongs to the open epoch.")
    mutating func timeless() {
        #expect(merger.add(fix(nil), at: start) == [])
        #expect(merger.add(fix(1), at: start + .milliseconds(10)) == [fix(1)])
    }

    @Test("A later report without a position replaces the earlier reports of its epoch.")
    mutating func void() {
        let void = Fix(mode: .noFix, time: Timestamp(milliseconds: 1000))
        #expect(merger.add(fix(1, speed: nil), at: start) == [])
        #expect(merger.add(void, at: start + .milliseconds(10)) == [])
        #expect(merger.expire(at: start + .seconds(1)) == [void])
    }

    private func fix(_ second: Int64?, speed: Double? = 10, accuracy: Double? = 5) -> Fix {
        Fix(
            mode: .threeDimensional, time: second.map { Timestamp(milliseconds: $0 * 1000) },
            coordinate: Coordinate(latitude: 52, longitude: 5), accuracy: accuracy.map { Metres($0) },
            speed: speed.map { MetresPerSecond($0) })
    }
}
