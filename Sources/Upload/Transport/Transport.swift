internal import Delivery
internal import Formats
internal import Glibc
package import Quantities

/// Sends payloads to a server; no call blocks.
///
/// Until `close`, `advance` returns exactly one verdict for every payload passed to `send`. The owner waits until a socket of
/// `watches` is ready or `deadline` is reached, and then calls `advance`; the owner may also call it at any other time.
protocol Transport: AnyObject {
    var watches: [Watch] { get }

    /// When to call `advance` even if no socket is ready; nil if no call is needed.
    var deadline: Instant? { get }

    /// The caller must not have more payloads in flight than `TransportRow.window`.
    func send(_ payload: WirePayload, as id: Int, at now: Instant)

    /// Does all work that is possible now without waiting; returns the outcomes since the last call.
    func advance(at now: Instant) -> [BatchOutcome]

    /// Returns sentences for the owner about a working connection, each sentence only once.
    func takeNotices() -> [String]

    /// Returns the server's messages that may contain orders, each message only once; empty unless the target permits orders.
    func takeMessages() -> [[UInt8]]

    /// Returns the server's messages that cannot contain orders, each message only once.
    func takeRefusals() -> [OrderError]

    /// Ends the connection, which may be dead; payloads in flight receive the verdict `postponed`.
    func breakOff()

    /// Notes a change of the network; `isMetered` is nil if there is none.
    func follow(isMetered: Bool?)

    /// Closes the connection; payloads in flight receive no verdict.
    ///
    /// Sends a disconnect message if the transport can do so without waiting.
    func close()
}

extension Transport {
    func takeNotices() -> [String] { [] }
    func takeMessages() -> [[UInt8]] { [] }
    func takeRefusals() -> [OrderError] { [] }
    func follow(isMetered: Bool?) {}
}

/// A descriptor to wait for, mostly a socket.
struct Watch: Sendable, Hashable {
    let descriptor: Int32
    let reads: Bool
    let writes: Bool

    var socket: pollfd {
        pollfd(fd: descriptor, events: Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), revents: 0)
    }
}

extension [Watch] {
    /// Waits until a descriptor is ready, at most `timeout_ms` milliseconds.
    func poll(timeout_ms: Int32) {
        var sockets = map(\.socket)
        _ = Glibc.poll(&sockets, nfds_t(count), timeout_ms)
    }
}

package struct UploadClocks: Sendable {
    /// Returns the time since boot.
    package let now: @Sendable () -> Instant
    /// Returns UTC from the system clock.
    package let utc: @Sendable () -> Timestamp

    package init(now: @escaping @Sendable () -> Instant, utc: @escaping @Sendable () -> Timestamp) {
        self.now = now
        self.utc = utc
    }
}

package struct TransportTimeouts: Sendable, Hashable {
    /// Time until the connection is established, including name resolution and TLS.
    package var connect: Duration
    package var answer: Duration
    /// The time between pings on an idle MQTT connection.
    ///
    /// Each ping wakes the program, but many routers forget a connection that is idle for two minutes.
    package var keepAlive: Duration
    /// The same on a metered network, because mobile networks forget connections earlier.
    package var meteredKeepAlive: Duration = .seconds(60)
    package var ping: Duration

    package init(
        connect: Duration = .seconds(20), answer: Duration = .seconds(60), keepAlive: Duration = .seconds(110),
        ping: Duration = .seconds(15)
    ) {
        self.connect = connect
        self.answer = answer
        self.keepAlive = keepAlive
        self.ping = ping
    }
}
