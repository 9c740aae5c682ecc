internal import CLinux
package import Delivery
internal import Glibc
internal import Synchronization
package import Tracking

/// Wakes the loop from any thread, with one eventfd whose counter combines four counts. A signal that comes before a wait is
/// not lost.
package struct WakeSignal: Sendable {
    struct Raised: Sendable, Hashable {
        let records: Bool
        let network: Bool
        let stop: Bool
    }

    private final class Shared: Sendable {
        let permission = Atomic<UInt8>(UploadPermission.allowed.rawValue)
        /// The rules as a number; 0 if none are set.
        let rules = Atomic<UInt64>(0)
        /// The number of questions so far; `answered` is the number of the last one that was answered.
        let asked = Atomic<UInt64>(0)
        let answered = Atomic<UInt64>(0)
        /// New targets, until the thread takes them.
        let targets = Mutex<[UploadTarget]?>(nil)
        let regionQuery = Mutex<RegionQuery?>(nil)
    }

    /// Readable after a signal.
    package let descriptor: Int32

    private let shared = Shared()

    /// The descriptor stays open until the program ends.
    package init() throws(WakeSignalError) {
        descriptor = clinux_counter_open()
        guard descriptor >= 0 else { throw WakeSignalError(errno: errno) }
    }

    package func recordsCommitted() { add(Self.record) }

    /// Signals that the network is back, or that the owner asks for an attempt.
    package func networkReturned() { add(Self.network) }

    package func permit(_ permission: UploadPermission) {
        shared.permission.store(permission.rawValue, ordering: .releasing)
        if permission == .allowed { networkReturned() } else { recordsCommitted() }
    }

    var permission: UploadPermission {
        UploadPermission(rawValue: shared.permission.load(ordering: .acquiring)) ?? .allowed
    }

    package func follow(_ rules: UploadRules) {
        shared.rules.store(rules.stored, ordering: .releasing)
        recordsCommitted()
    }

    /// Nil if the targets' own rules apply.
    var rules: UploadRules? { UploadRules(stored: shared.rules.load(ordering: .acquiring)) }

    /// Nil ends the fetching.
    package func fetchRegions(_ query: RegionQuery?) {
        shared.regionQuery.withLock { $0 = query }
        recordsCommitted()
    }

    var regionQuery: RegionQuery? { shared.regionQuery.withLock { $0 } }

    package func replace(targets: [UploadTarget]) {
        shared.targets.withLock { $0 = targets }
        recordsCommitted()
    }

    func takeTargets() -> [UploadTarget]? {
        shared.targets.withLock { targets in
            defer { targets = nil }
            return targets
        }
    }

    package func ask() {
        shared.asked.add(1, ordering: .acquiringAndReleasing)
        add(Self.question)
    }

    /// Whether the loop has answered the last `ask`.
    package var hasAnswered: Bool {
        shared.answered.load(ordering: .acquiring) >= shared.asked.load(ordering: .acquiring)
    }

    /// The loop calls this in each pass.
    func answer() { shared.answered.store(shared.asked.load(ordering: .acquiring), ordering: .releasing) }

    package func stop() { add(Self.stop) }

    func take() -> Raised {
        var counts: UInt64 = 0
        guard read(descriptor, &counts, 8) == 8 else { return Raised(records: false, network: false, stop: false) }
        return Raised(
            records: counts % Self.network != 0, network: counts / Self.network % Self.width != 0,
            stop: counts / Self.stop % Self.width != 0)
    }

    // The 64 bits contain four counts: records, network and stop use 20 bits each, and questions use the rest.
    private static let width: UInt64 = 1 << 20
    private static let record: UInt64 = 1
    private static let network = width
    private static let stop = width * width
    private static let question = width * width * width

    private func add(_ count: UInt64) {
        var count = count
        // The write fails only if the counter is full; then the descriptor is readable already.
        _ = write(descriptor, &count, 8)
    }
}

package struct WakeSignalError: Error, Sendable, Hashable, CustomStringConvertible {
    package let errno: Int32
    package var description: String {
        "upload: no eventfd available (errno \(errno)). Restart the program; if this happens again, raise its limit of open files."
    }
}
