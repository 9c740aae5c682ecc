internal import CLinux
internal import Glibc
internal import Quantities
internal import Synchronization

/// Wakes the loop from any thread: for damage, records lost in memory, an order, the end of background work, and for
/// each report of the upload thread while a client watches or trackerd writes metrics.
package final class QueueAlarm: Sendable {
    /// Readable when the alarm rings. It is -1 if the system had no descriptor left; the loop then asks in each turn.
    package let descriptor = clinux_counter_open()
    let turn = WriteTurn()
    let uncommitted = UncommittedRecords()
    /// The number of the damaged file; 0 if no file is damaged.
    private let damaged = Atomic<UInt64>(0)
    /// The number of the file that the queue opened last; 0 if it has opened none, `.max` if it may open none.
    private let opened = Atomic<UInt64>(0)

    private let orders = Atomic<Bool>(false)

    private let readFaults = Mutex(ReadFaults())

    package init() {}

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Identifies the file by its inode number, because a new file may have the name by now.
    func reportDamage(in file: FileNumber) {
        damaged.store(file.value, ordering: .releasing)
        ring()
    }

    /// Also true if reads fail again and again (`ReadFaults`) while the disk accepts a new file.
    func showsDamage(_ error: StoreError) -> Bool {
        if error.isDamaged { return true }
        guard error.isUnreadable else { return false }
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let now = Instant(seconds: Double(time.tv_sec))
        return readFaults.withLock { $0.note(at: now) } && FileSystem.canWrite(beside: error.path)
    }

    func noteOpening(of file: FileNumber) { opened.store(file.value, ordering: .releasing) }

    func forbidOpening() { opened.store(.max, ordering: .releasing) }

    /// Permits only the file that the queue has opened last, or any file if it has opened none.
    func permitsOpening(_ file: FileNumber) -> Bool {
        let number = opened.load(ordering: .acquiring)
        return number == 0 || number == file.value
    }

    func noteOrder() {
        orders.store(true, ordering: .releasing)
        ring()
    }

    /// Call this after `take`, which silences the alarm; then no order is missed.
    package func takeOrders() -> Bool { orders.exchange(false, ordering: .acquiring) }

    package func ring() {
        if descriptor >= 0 { clinux_counter_raise(descriptor) }
    }

    /// Silences the alarm; returns the damaged file, or nil if there is none.
    func take() -> FileNumber? {
        if descriptor >= 0 { clinux_counter_clear(descriptor) }
        let file = damaged.exchange(0, ordering: .acquiring)
        return file == 0 ? nil : FileNumber(value: file)
    }
}

/// The inode number of a file, which differs if another file has taken the name.
struct FileNumber: Sendable, Hashable {
    fileprivate(set) var value: UInt64

    fileprivate init(value: UInt64) { self.value = value }

    init?(of path: String) {
        var entry = stat()
        guard stat(path, &entry) == 0 else { return nil }
        value = UInt64(entry.st_ino)
    }
}

/// Decides when failing reads mean that the file is damaged. A lost sector fails at every read, a card without contact
/// only for a moment. SQLite itself reports many lost pages as damaged, but not the first page of the file.
struct ReadFaults {
    /// This number of failures means damage if the first of them is at least `duration` ago.
    private static let mostFailures = 3
    private static let duration = Duration.seconds(60)
    /// Within this time, the system may report one fault several times.
    private static let shortestPause = Duration.seconds(1)
    /// After this time without a failure, the count begins again.
    private static let longestPause = Duration.seconds(2 * 3600)

    private var count = 0
    private var first = Instant.boot
    private var last: Instant?

    /// Returns whether the failures so far mean damage. A failure within `shortestPause` of the last does not count.
    mutating func note(at now: Instant) -> Bool {
        let pause = last.map { now - $0 } ?? .zero
        if last != nil, pause < Self.shortestPause { return false }
        if last == nil || pause > Self.longestPause { (count, first) = (0, now) }
        (count, last) = (count + 1, now)
        guard count >= Self.mostFailures, now - first >= Self.duration else { return false }
        self = ReadFaults()
        return true
    }
}
