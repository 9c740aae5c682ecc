package import Quantities

/// Drives end to end, the vehicle parked in between, as one stretch of time that begins at `Instant.boot`.
package struct Timeline {
    /// A drive and when it begins.
    package struct Stretch: Sendable {
        /// When the drive begins.
        package let start: Instant
        /// When the drive ends and the vehicle is parked.
        package let end: Instant
        /// When the receiver reports for the first time after this drive; nothing when it never does.
        let nextFix: Instant?
        /// Which of the drives it is.
        fileprivate let number: Int
    }

    /// The drives, in order.
    package let stretches: [Stretch]
    private let cache: DriveCache

    /// Puts drives end to end, parked for `gap` in between.
    package init(_ drives: [Drive], gap: Duration) {
        stretches = Self.layOut(drives.map { DriveOutline($0) }, order: Array(drives.indices), gap: gap)
        cache = DriveCache { number in drives[number] }
    }

    /// Puts recordings end to end, parked for `gap` in between, all of them `times` over.
    ///
    /// Each is read now, so that a bad one is told at once; later only those are in memory that are needed or fit in well.
    package init(
        reading paths: [String], gap: Duration, times: Int = 1, rate: Double? = nil
    ) throws(DriveError) {
        var known: [String] = []
        let numbers = paths.map { path in
            known.firstIndex(of: path)
                ?? {
                    known.append(path)
                    return known.count - 1
                }()
        }
        let distinct = known
        let cache = DriveCache { number throws(DriveError) in
            var drive = try DriveReader.read(distinct[number])
            if let rate { drive.thin(toRate: rate) }
            return drive
        }
        var outlines: [DriveOutline] = []
        for number in distinct.indices { outlines.append(try cache.outline(number)) }
        self.cache = cache
        stretches = Self.layOut(outlines, order: (0..<times).flatMap { _ in numbers }, gap: gap)
    }

    /// When the last drive ends.
    package var end: Instant { stretches.last?.end ?? .boot }

    /// Why a drive that could be read at first could not be read again; the vehicle stood still in its place.
    package var failure: DriveError? { cache.failure }

    /// What was recorded.
    func drive(of stretch: Stretch) -> Drive { cache[stretch.number] }

    private static func layOut(_ outlines: [DriveOutline], order: [Int], gap: Duration) -> [Stretch] {
        var start = Instant.boot
        let starts = order.map { number in
            defer { start = start + outlines[number].length + gap }
            return start
        }
        var nextFix: Instant?
        let reversed = zip(order, starts).reversed().map { number, start in
            let outline = outlines[number]
            defer { nextFix = outline.firstFix.map { start + $0 } ?? nextFix }
            return Stretch(start: start, end: start + outline.length, nextFix: nextFix, number: number)
        }
        return reversed.reversed()
    }
}
