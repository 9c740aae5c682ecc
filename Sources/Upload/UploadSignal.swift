internal import CLinux
internal import Glibc
internal import Synchronization

/// Wakes the upload thread; may be called from any thread.
///
/// One eventfd whose counter carries three counts at once: what was signalled is lost neither when nobody waits yet nor
/// when it comes several times.
package struct UploadSignal: Sendable {
    /// The signal cannot be made, for this reason of the system's.
    package struct Unavailable: Error, Sendable, Hashable, CustomStringConvertible {
        /// The number of the error.
        package let errno: Int32
        /// The whole sentence.
        package var description: String { "upload: an eventfd cannot be had (errno \(errno))" }
    }

    /// What was signalled since the last time.
    struct Taken: Sendable, Hashable {
        let records: Bool
        let network: Bool
        let stop: Bool
    }

    /// What both threads look at.
    private final class Shared: Sendable {
        let isHeld = Atomic<Bool>(false)
    }

    /// Becomes readable when something is signalled.
    package let descriptor: Int32

    private let shared = Shared()

    /// Makes a signal; it lives as long as the process.
    package init() throws(Unavailable) {
        descriptor = clinux_counter_open()
        guard descriptor >= 0 else { throw Unavailable(errno: errno) }
    }

    /// Tells that records were committed.
    package func recordsCommitted() { add(Self.record) }

    /// Tells that the network has come back, or that somebody wants an attempt now.
    package func networkReturned() { add(Self.network) }

    /// Has the thread begin nothing from now on, or go on; what is under way stays as it is meanwhile.
    package func hold(_ isHeld: Bool) {
        shared.isHeld.store(isHeld, ordering: .releasing)
        if !isHeld { networkReturned() }
    }

    /// Whether nothing may be begun.
    var isHeld: Bool { shared.isHeld.load(ordering: .acquiring) }

    /// Asks the thread to end.
    package func stop() { add(Self.stop) }

    /// Reads and resets what was signalled.
    func take() -> Taken {
        var counts: UInt64 = 0
        guard read(descriptor, &counts, 8) == 8 else { return Taken(records: false, network: false, stop: false) }
        return Taken(
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
        // Only a full counter is refused, and that is readable already.
        _ = write(descriptor, &count, 8)
    }
}
