internal import CLinux

/// Counts the bytes that the connections of one target's transport send and receive on the network.
///
/// If a connection ends, the last bytes of this connection may be missing from the count.
struct TrafficMeter {
    /// The bytes of each open connection, under the number of its socket.
    private var counts: [UInt64: UInt64] = [:]

    /// Returns the number of bytes that passed through these sockets since the last call.
    mutating func measure(_ watches: [Watch]) -> Int64 {
        var sum: UInt64 = 0
        for watch in watches {
            var (number, bytes): (UInt64, UInt64) = (0, 0)
            guard clinux_tcp_traffic(watch.descriptor, &number, &bytes) else { continue }
            let before = counts[number] ?? 0
            sum += bytes >= before ? bytes - before : bytes
            if counts.count >= Self.most { counts = [:] }
            counts[number] = bytes
        }
        return Int64(clamping: sum)
    }

    /// The maximum number of stored connections.
    ///
    /// A target has one or two connections, and the meter does not need closed connections.
    private static let most = 16
}
