internal import CLinux
internal import Glibc
internal import Synchronization

/// Wakes the upload thread; may be raised from any thread.
///
/// One eventfd whose counter carries three counts at once, so that no signal is lost, neither before the thread waits nor
/// when the same one comes several times.
package struct WakeSignal: Sendable {
    /// What was signalled since the last `take`.
    struct Raised: Sendable, Hashable {
        let records: Bool
        let network: Bool
        let stop: Bool
    }

    private final class Shared: Sendable {
        let isHeld = Atomic<Bool>(false)
    }

    /// Becomes readable when something is signalled.
    package let descriptor: Int32

    private let shared = Shared()

    /// Opens the eventfd, which is never closed.
    package init() throws(WakeSignalError) {
        descriptor = clinux_counter_open()
        guard descriptor >= 0 else { throw WakeSignalError(errno: errno) }
    }

    /// Signals that records were committed.
    package func recordsCommitted() { add(Self.record) }

    /// Signals that the network is back, or that the owner wants an attempt now.
    package func networkReturned() { add(Self.network) }

    /// Suspends or resumes uploads: while they are suspended, no upload begins, and one under way pauses.
    package func hold(_ isHeld: Bool) {
        shared.isHeld.store(isHeld, ordering: .releasing)
        if !isHeld { networkReturned() }
    }

    /// Whether uploads are held.
    var isHeld: Bool { shared.isHeld.load(ordering: .acquiring) }

    /// Asks the thread to end.
    package func stop() { add(Self.stop) }

    /// Reads and resets what was signalled.
    func take() -> Raised {
        var counts: UInt64 = 0
        guard read(descriptor, &counts, 8) == 8 else { return Raised(records: false, network: false, stop: false) }
        return Raised(
            records: counts % Self.network != 0, network: counts / Self.network % Self.width != 0,
            stop: counts >= Self.stop)
    }

    // Three counters of 20 bits and more in one of 64.
    private static let width: UInt64 = 1 << 20
    private static let record: UInt64 = 1
    private static let network = width
    private static let stop = width * width

    private func add(_ count: UInt64) {
        var count = count
        // Only a full counter refuses the write, and a full counter is readable already.
        _ = write(descriptor, &count, 8)
    }
}

/// The system has no eventfd for the wake signal.
package struct WakeSignalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error number of the system call.
    package let errno: Int32
    /// The whole sentence.
    package var description: String {
        "upload: no eventfd available (errno \(errno)). Restart the program; if it happens again, raise its limit of open files."
    }
}
