internal import Delivery
internal import Formats
internal import Glibc
package import Quantities

/// Sends payloads to a server; no call blocks. Until `close`, `advance` returns exactly one verdict for every payload passed
/// to `send`. It is called when a socket of `watches` is ready or `deadline` is reached, and may be called at any time.
protocol Transport: AnyObject {
    var watches: [Watch] { get }

    /// When to call `advance` even if no socket is ready.
    var deadline: Instant? { get }

    /// At most `TransportRow.window` payloads may be in flight.
    func send(_ payload: WirePayload, as id: Int, at now: Instant)

    /// Returns the outcomes since the last call, without waiting.
    func advance(at now: Instant) -> [BatchOutcome]

    /// Returns notices about a working connection, each once.
    func takeNotices() -> [String]

    /// Returns messages with orders, each once; empty unless orders are permitted.
    func takeMessages() -> [[UInt8]]

    /// Returns the errors of dropped messages, each once.
    func takeRefusals() -> [OrderError]

    /// Ends a connection that may be dead; payloads in flight are `postponed`.
    func breakOff()

    /// `isMetered` is nil without a network.
    func follow(isMetered: Bool?)

    /// Sends a disconnect message if that needs no waiting; payloads in flight get no verdict.
    func close()
}

extension Transport {
    func takeNotices() -> [String] { [] }
    func takeMessages() -> [[UInt8]] { [] }
    func takeRefusals() -> [OrderError] { [] }
    func follow(isMetered: Bool?) {}
}

struct Watch: Sendable, Hashable {
    let descriptor: Int32
    let reads: Bool
    let writes: Bool

    var socket: pollfd {
        pollfd(fd: descriptor, events: Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), revents: 0)
    }
}

extension [Watch] {
    func poll(timeout_ms: Int32) {
        var sockets = map(\.socket)
        _ = Glibc.poll(&sockets, nfds_t(count), timeout_ms)
    }
}

package struct UploadClocks: Sendable {
    /// The time since boot.
    package let now: @Sendable () -> Instant
    /// The time of the system clock.
    package let utc: @Sendable () -> Timestamp

    package init(now: @escaping @Sendable () -> Instant, utc: @escaping @Sendable () -> Timestamp) {
        self.now = now
        self.utc = utc
    }
}

package struct TransportTimeouts: Sendable, Hashable {
    /// Includes name resolution and TLS.
    package var connect: Duration = .seconds(20)
    package var answer: Duration = .seconds(60)
    /// The time between pings of an idle connection. Each ping wakes the program, but many routers forget a connection
    /// after two minutes.
    package var keepAlive: Duration = .seconds(110)
    /// The same over a metered network; shorter, because mobile networks forget connections earlier.
    package var meteredKeepAlive: Duration = .seconds(60)
    package var ping: Duration = .seconds(15)
}
