internal import CLinux
package import Delivery
internal import Glibc
internal import Synchronization
package import Tracking

/// Wakes the upload thread; any thread may raise the signal.
///
/// The signal is one eventfd, whose counter combines four counts. No signal is lost, even if the thread is not waiting yet, or if a
/// signal is raised several times.
package struct WakeSignal: Sendable {
    struct Raised: Sendable, Hashable {
        let records: Bool
        let network: Bool
        let stop: Bool
    }

    private final class Shared: Sendable {
        let permission = Atomic<UInt8>(UploadPermission.allowed.rawValue)
        /// The rules as `UploadRules.stored`; 0 if `follow` has set no rules.
        let rules = Atomic<UInt64>(0)
        /// The number of calls of `ask`; `answered` is the number of the last call that the thread has answered.
        let asked = Atomic<UInt64>(0)
        let answered = Atomic<UInt64>(0)
        /// The targets that `replace(targets:)` has set, until the thread takes them.
        let targets = Mutex<[UploadTarget]?>(nil)
        let regionQuery = Mutex<RegionQuery?>(nil)
    }

    /// The descriptor, readable after a signal.
    package let descriptor: Int32

    private let shared = Shared()

    /// Opens the eventfd, which remains open until the program ends.
    package init() throws(WakeSignalError) {
        descriptor = clinux_counter_open()
        guard descriptor >= 0 else { throw WakeSignalError(errno: errno) }
    }

    package func recordsCommitted() { add(Self.record) }

    /// Signals that the network is back, or that the owner requests an attempt now.
    package func networkReturned() { add(Self.network) }

    package func permit(_ permission: UploadPermission) {
        shared.permission.store(permission.rawValue, ordering: .releasing)
        if permission == .allowed { networkReturned() } else { recordsCommitted() }
    }

    /// The permission that the daemon has set last; at first `allowed`.
    var permission: UploadPermission {
        UploadPermission(rawValue: shared.permission.load(ordering: .acquiring)) ?? .allowed
    }

    /// Sets the rules for uploads from now on.
    package func follow(_ rules: UploadRules) {
        shared.rules.store(rules.stored, ordering: .releasing)
        recordsCommitted()
    }

    /// The rules that `follow` has set last; nil if `follow` has set no rules, so that the targets' own rules apply.
    var rules: UploadRules? { UploadRules(stored: shared.rules.load(ordering: .acquiring)) }

    /// Sets the request for the regions of servers from now on; nil to fetch no regions.
    package func fetchRegions(_ query: RegionQuery?) {
        shared.regionQuery.withLock { $0 = query }
        recordsCommitted()
    }

    var regionQuery: RegionQuery? { shared.regionQuery.withLock { $0 } }

    /// Makes the upload thread serve these targets instead of the present targets.
    package func replace(targets: [UploadTarget]) {
        shared.targets.withLock { $0 = targets }
        recordsCommitted()
    }

    /// Returns the targets that `replace(targets:)` has set since the last call; nil if it has not been called since.
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

    /// Whether the thread's loop has run since the last `ask`.
    package var hasAnswered: Bool {
        shared.answered.load(ordering: .acquiring) >= shared.asked.load(ordering: .acquiring)
    }

    /// Answers all questions; the thread calls this function in each pass of its loop.
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
