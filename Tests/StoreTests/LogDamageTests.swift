import Foundation
import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("A damaged write-ahead log")
struct LogDamageTests {
    /// The damage that a failing card may leave in one frame of the log, or in the log's header.
    enum Damage: CaseIterable {
        case bitOfPage, bitOfChecksum, bitOfSalt, bitOfHeader

        func apply(to log: inout Data, frame: Int) {
            let start = LogDamageTests.start(ofFrame: frame)
            switch self {
            case .bitOfPage: log[start + 24 + 300] ^= 0x10
            case .bitOfChecksum: log[start + 17] ^= 0x01
            case .bitOfSalt: log[start + 9] ^= 0x80
            case .bitOfHeader: log[17] ^= 0x04
            }
        }
    }

    private static func start(ofFrame frame: Int) -> Int { 32 + frame * (24 + 512) }

    private let folder = TemporaryFolder()
    private var log: URL { URL(fileURLWithPath: folder.database + "-wal") }

    /// Leaves the files of a drive as a power cut leaves them: the log contains one commit for each of the 60 records.
    ///
    /// Returns the records, and the number of frames before each commit.
    private func drive() throws -> (records: [StoredRecord], frames: [Int]) {
        let other = TemporaryFolder()
        let queue = try RecordQueue(path: other.database, grouping: .init(interval: .zero))
        var (stored, frames) = ([StoredRecord](), [Int]())
        for second in 0..<60 {
            let reading = ClockReading.sample(at: Double(second))
            let record = Tracking.Record(
                .location, time: reading.time, isTimeTrusted: true,
                position: Position(
                    coordinate: try #require(Coordinate(latitude: 52.5, longitude: 13.4 + Double(second) / 1000))),
                isMoving: true, odometer: Metres(Double(second)), trip: 1)
            var state = EngineState()
            state.logbook.tag = "at \(second)"
            frames.append((try Data(contentsOf: URL(fileURLWithPath: other.database + "-wal")).count - 32) / (24 + 512))
            stored.append(queue.append(record, state: state, at: reading))
            _ = try queue.flush(at: reading)
        }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: other.database + suffix, toPath: folder.database + suffix)
        }
        queue.close()
        return (stored, frames)
    }

    private func damage(_ change: (inout Data) -> Void) throws {
        var bytes = try Data(contentsOf: log)
        change(&bytes)
        try bytes.write(to: log)
    }

    /// Waits for the end of a salvage, if one has begun; `isReplaced` is then true.
    private func records(_ queue: RecordQueue) throws -> (records: [StoredRecord], isReplaced: Bool) {
        let reports = try queue.tend(at: .sample(at: 60)) { $0.isEmpty || $0.contains(where: \.isSalvage) }
        let isReplaced = !reports.isEmpty
        let table = try DeliveryTable(path: folder.database)
        return (try table.oldest(awaiting: "nobody", limit: 1000, excluding: []), isReplaced)
    }

    @Test(
        "Damage of one commit in the log loses none of the later commits at the next start.",
        arguments: Damage.allCases, [0, 7, 20, 45, 56])
    func laterCommits(damage kind: Damage, commit: Int) throws {
        let (before, frames) = try drive()
        try damage { kind.apply(to: &$0, frame: frames[commit]) }
        let queue = try RecordQueue(path: folder.database)
        #expect(queue.restoredState?.state.logbook.tag == "at 59")
        #expect(queue.committedSequence == 60)
        let (after, isReplaced) = try records(queue)
        #expect(isReplaced)
        let missing = Set(before.map(\.sequence)).subtracting(after.map(\.sequence))
        #expect(missing.isEmpty, "\(missing.sorted())")
        // The damaged frame has changed no record.
        #expect(after.allSatisfy { before.contains($0) })
        #expect(FileManager.default.fileExists(atPath: folder.database + ".damaged-1-wal"))
        queue.close()
    }

    @Test(
        "If a block of the log is lost, only records of the commits in this block are missing.", arguments: [7, 20, 45])
    func lostBlock(commit: Int) throws {
        let (before, frames) = try drive()
        let start = Self.start(ofFrame: frames[commit])
        try damage { $0.replaceSubrange(start..<start + 4096, with: Data(count: 4096)) }
        let queue = try RecordQueue(path: folder.database)
        let (after, isReplaced) = try records(queue)
        #expect(isReplaced)
        // Each commit has at least two frames, so the block contains frames of at most five commits.
        let outside = before.prefix(commit) + before.dropFirst(commit + 5)
        #expect(Set(after).isSuperset(of: outside))
        #expect(queue.restoredState?.state.logbook.tag == "at 59")
        queue.close()
    }

    @Test("A commit that a power cut interrupted is ignored, and the database is not replaced.")
    func interruptedCommit() throws {
        let (before, frames) = try drive()
        try damage { log in
            // The disk has written the last part of the commit, but not the first.
            let start = Self.start(ofFrame: frames[59])
            log.replaceSubrange(start..<start + 24 + 512, with: Data(count: 24 + 512))
        }
        let queue = try RecordQueue(path: folder.database)
        let (after, isReplaced) = try records(queue)
        #expect(!isReplaced)
        #expect(after == Array(before.prefix(59)))
        queue.close()
    }

    @Test("An undamaged log is read as before, also if it contains older frames behind the newest commit.")
    func undamaged() throws {
        let (before, _) = try drive()
        let queue = try RecordQueue(path: folder.database)
        let (after, isReplaced) = try records(queue)
        #expect(!isReplaced)
        #expect(after == before)
        // SQLite begins the log again from its start; the older frames remain behind the new ones.
        try folder.execute("UPDATE thinning SET through = 0")
        let other = try DatabaseQueue(path: folder.database)
        _ = try other.writeWithoutTransaction { try $0.checkpoint(.restart) }
        _ = queue.append(before[0].record, state: EngineState(), at: .sample(at: 61))
        _ = try queue.flush(at: .sample(at: 61))
        let copy = TemporaryFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy.database + suffix)
        }
        let again = try RecordQueue(path: copy.database)
        #expect(try again.tend(at: .sample(at: 62)).reports.isEmpty)
        #expect(again.committedSequence == 61)
        again.close()
        queue.close()
    }
}
