import Motion
package import Quantities
package import Tracking

/// Drives with the vehicle parked between them; time starts at `Instant.boot`.
package struct Timeline {
    package struct Stretch: Sendable {
        package let start: Instant
        /// The vehicle is parked from then on.
        package let end: Instant
        /// When the receiver first reports in a later drive; nil if it does not.
        let nextFix: Instant?
        /// The time to add to the dates of the drive.
        let dateShift: Duration
        fileprivate let number: Int
    }

    package let stretches: [Stretch]
    /// The date at the start of the timeline: that of the first drive.
    package let date: Timestamp
    package let opening: RecordingHeader?
    private let cache: DriveCache

    package init(_ drives: [Drive], gap: Duration) {
        let outlines = drives.map { DriveOutline($0) }
        date = Self.date(of: outlines)
        opening = outlines.first?.opening
        stretches = Self.layOut(outlines, order: Array(drives.indices), gap: gap, from: date)
        cache = DriveCache { number in drives[number] }
    }

    /// Repeats the recordings `times` times, with the vehicle parked for `gap` between two drives, and with at most
    /// `rate` samples a second. Each file is read here, because errors must appear before the replay, and again when the
    /// replay reaches it if it is not in memory any more.
    package init(reading paths: [String], gap: Duration, times: Int = 1, rate: Double? = nil) throws(DriveError) {
        var drives: [String] = []
        for path in paths { drives += try DriveReader.drives(at: path) }
        let distinct = drives.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let numbers = drives.compactMap { distinct.firstIndex(of: $0) }
        let cache = DriveCache { number throws(DriveError) in
            var drive = try DriveReader.read(distinct[number])
            if let rate { drive.thin(toRate: rate) }
            return drive
        }
        var outlines: [DriveOutline] = []
        for number in distinct.indices { outlines.append(try cache.outline(number)) }
        self.cache = cache
        date = Self.date(of: outlines)
        opening = outlines.first?.opening
        stretches = Self.layOut(outlines, order: (0..<times).flatMap { _ in numbers }, gap: gap, from: date)
    }

    /// A day before the first drive, so that the fixes of old drives are valid too.
    package var earliestDate: Timestamp { date - .seconds(86_400) }

    package var end: Instant { stretches.last?.end ?? .boot }

    /// Why a file could not be read again. An empty drive then stands in for it, so the vehicle is parked.
    package var failure: DriveError? { cache.failure }

    func drive(of stretch: Stretch) -> Drive { cache[stretch.number] }

    private static func date(of outlines: [DriveOutline]) -> Timestamp {
        outlines.first?.date ?? SimulatedDate.epoch
    }

    private static func layOut(
        _ outlines: [DriveOutline], order: [Int], gap: Duration, from date: Timestamp
    ) -> [Stretch] {
        var start = Instant.boot
        let starts = order.map { number in
            defer { start = start + outlines[number].length + gap }
            return start
        }
        var nextFix: Instant?
        let reversed = zip(order, starts).reversed().map { number, start in
            let outline = outlines[number]
            defer { nextFix = outline.firstFix.map { start + $0 } ?? nextFix }
            let shift = outline.date.map { date + (start - .boot) - $0 } ?? .zero
            return Stretch(
                start: start, end: start + outline.length, nextFix: nextFix, dateShift: shift, number: number)
        }
        return reversed.reversed()
    }
}

/// Reads drives when the replay reaches them, and keeps only the most recent, because a year of driving does not fit in
/// memory.
final class DriveCache {
    private let room: Int
    private let read: (Int) throws(DriveError) -> Drive
    private var kept: [(number: Int, drive: Drive)] = []
    private(set) var failure: DriveError?

    /// `room` is in bytes; at least the last two drives stay, as sensors and receiver may be in different ones.
    init(room: Int = 16 << 20, read: @escaping (Int) throws(DriveError) -> Drive) {
        self.room = room
        self.read = read
    }

    /// Always reads the drive, because errors must appear before the replay.
    func outline(_ number: Int) throws(DriveError) -> DriveOutline {
        let drive = try read(number)
        put(drive, number)
        return DriveOutline(drive)
    }

    subscript(number: Int) -> Drive {
        if let index = kept.firstIndex(where: { $0.number == number }) {
            let found = kept.remove(at: index)
            kept.append(found)
            return found.drive
        }
        let drive: Drive
        do throws(DriveError) { drive = try read(number) } catch {
            failure = failure ?? error
            drive = Drive()
        }
        put(drive, number)
        return drive
    }

    private func put(_ drive: Drive, _ number: Int) {
        kept.append((number, drive))
        while kept.count > 2, kept.reduce(0, { $0 + $1.drive.bytes }) > room { kept.removeFirst() }
    }
}

extension Drive {
    fileprivate var bytes: Int {
        samples.count * MemoryLayout<Timed<AccelerationSample>>.stride + fixes.count * MemoryLayout<Timed<Fix>>.stride
            + others.count * MemoryLayout<Timed<Event>>.stride
    }
}

/// What the timeline needs while the drive is not in memory.
struct DriveOutline: Sendable {
    let length: Duration
    let firstFix: Duration?
    /// Nil if the opening has no trusted time and no fix has a date.
    let date: Timestamp?
    let opening: RecordingHeader?

    init(_ drive: Drive) {
        length = drive.length
        firstFix = drive.fixes.first?.time
        let opening = drive.opening
        // The date of a report without a place may be wrong.
        let dated = drive.fixes.first { $0.value.hasPlace } ?? drive.fixes.first { $0.value.time != nil }
        date =
            opening?.isTimeTrusted == true
            ? opening?.time : dated.flatMap { fix in fix.value.time.map { $0 - fix.time } }
        self.opening = opening
    }
}
