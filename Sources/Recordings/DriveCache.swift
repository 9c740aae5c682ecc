import Motion
import Quantities
import Tracking

/// Drives by number, read when they are needed, and kept while there is room: a year of driving does not fit in memory.
final class DriveCache {
    private let room: Int
    private let read: (Int) throws(DriveError) -> Drive
    private var kept: [(number: Int, drive: Drive)] = []
    /// What went wrong with a drive that could be read before; an empty one stands in for it.
    private(set) var failure: DriveError?

    /// Keeps drives of `room` bytes; the last two always, since sensors and receiver may be in neighbouring ones.
    init(room: Int = 16 << 20, read: @escaping (Int) throws(DriveError) -> Drive) {
        self.room = room
        self.read = read
    }

    /// Reads a drive for the first time, so that one that cannot be read is told before anything is replayed.
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
    /// About how much memory it takes.
    fileprivate var bytes: Int {
        samples.count * MemoryLayout<Timed<AccelerationSample>>.stride + fixes.count * MemoryLayout<Timed<Fix>>.stride
            + others.count * MemoryLayout<Timed<Event>>.stride
    }
}

/// What a timeline has to know of a drive while that is not in memory.
struct DriveOutline: Sendable {
    /// How long it lasts.
    let length: Duration
    /// When the receiver reported first; nothing when it never did.
    let firstFix: Duration?

    init(_ drive: Drive) {
        length = drive.length
        firstFix = drive.fixes.first?.time
    }
}
