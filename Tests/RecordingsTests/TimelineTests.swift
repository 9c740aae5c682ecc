import Motion
import Peers
import Quantities
import Testing
import Tracking

@testable import Recordings

@Suite("Timeline")
struct TimelineTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func write(_ name: String, latitude: Double) throws -> String {
        let rows = (0...9).map { "\($0),\(latitude),4.9,10\n" }.joined()
        try scratch.write("t_s,lat,lon,speed_mps\n" + rows, to: name)
        return "\(scratch.path)/\(name)"
    }

    @Test("Drives follow each other after the gap and are repeated the given number of times.")
    func layout() throws {
        let (first, second) = (try write("a.csv", latitude: 52), try write("b.csv", latitude: 53))
        let timeline = try Timeline(reading: [first, second], gap: .seconds(100), times: 2)
        #expect(timeline.stretches.map(\.start.seconds) == [0, 109, 218, 327])
        #expect(timeline.end.seconds == 336)
    }

    @Test("The reports are the same whether drives are in memory or read when they are needed.")
    func sameReports() throws {
        let paths = [try write("a.csv", latitude: 52), try write("b.csv", latitude: 53)]
        let lazily = try Timeline(reading: paths, gap: .seconds(5), times: 3)
        let drives = try (paths + paths + paths).map { try DriveReader.read($0) }
        let expected = reports(Timeline(drives, gap: .seconds(5)))
        #expect(reports(lazily) == expected)
        // Each drive has ten fixes. In each of the five gaps of five seconds, the receiver reports the last position four times.
        #expect(expected.count == 80)
    }

    @Test("Without a gap, two drives share the report at the end of the first and the start of the second.")
    func noGap() throws {
        let path = try write("a.csv", latitude: 52)
        #expect(reports(try Timeline(reading: [path], gap: .zero, times: 3)).count == 28)
    }

    @Test("A drive that can no longer be read is replaced by an empty drive, and the error is stored.")
    func vanished() throws {
        let path = try write("a.csv", latitude: 52)
        let cache = DriveCache { number throws(DriveError) in
            guard number < 3 else { throw .unreadable(file: path, cause: "gone") }
            return try DriveReader.read(path)
        }
        #expect(cache[0].fixes.count == 10)
        #expect(cache.failure == nil)
        #expect(cache[3].fixes.isEmpty)
        #expect(cache.failure == .unreadable(file: path, cause: "gone"))
    }

    @Test("Drives that do not fit in the cache are read again.")
    func cache() throws {
        var big = Drive()
        big.samples = (0..<100).map { .init(.milliseconds($0), AccelerationSample(x: 0, y: 0, z: 9.8)) }
        let drive = big
        var reads: [Int] = []
        let cache = DriveCache(room: 1000) { number in
            reads.append(number)
            return drive
        }
        for number in [0, 1, 1, 0, 2, 0, 1] { #expect(cache[number].samples.count == 100) }
        #expect(reads == [0, 1, 2, 1])
    }

    @Test("A file can contain the list of drives.")
    func list() throws {
        try scratch.write("a.csv\n/b/c d.csv.gz\n", to: "list")
        #expect(try DriveReader.readList("\(scratch.path)/list") == ["a.csv", "/b/c d.csv.gz"])
        try scratch.write("", to: "empty")
        #expect(throws: DriveError.empty(file: "\(scratch.path)/empty")) {
            try DriveReader.readList("\(scratch.path)/empty")
        }
    }

    private func reports(_ timeline: Timeline) -> [Fix] {
        var track = FixTrack(timeline)
        var found: [Fix] = []
        var moment = Instant.boot
        while let next = track.nextTime(from: moment), next <= timeline.end {
            if let fix = track.fix(at: next) { found.append(fix) }
            moment = next + .nanoseconds(1)
        }
        return found
    }
}
