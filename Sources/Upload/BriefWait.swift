internal import Glibc
internal import Quantities

/// Waits for sockets with `poll`, and tests them for 100 µs before the thread sleeps if the last wait was that brief.
///
/// A server on the same computer may answer in less time than the kernel needs to wake the thread. After a longer wait, the
/// thread sleeps at once, so a server that always needs longer costs no additional processor time.
struct BriefWait {
    /// How long the thread tests the sockets before it sleeps.
    static let limit: Duration = .microseconds(100)

    private var wasBrief = false

    /// Waits at most `timeout_ms` milliseconds, or without a limit if `timeout_ms` is negative; returns what `poll` returns.
    mutating func poll(_ sockets: inout [pollfd], timeout_ms: Int32, clock: () -> Instant) -> Int32 {
        let begin = clock()
        if wasBrief, timeout_ms != 0 {
            repeat {
                let count = Glibc.poll(&sockets, nfds_t(sockets.count), 0)
                if count != 0 { return count }
                // On a computer with one processor, the server needs this processor.
                sched_yield()
            } while clock() - begin < Self.limit
        }
        let count = Glibc.poll(&sockets, nfds_t(sockets.count), timeout_ms)
        wasBrief = timeout_ms != 0 && clock() - begin < Self.limit
        return count
    }
}
