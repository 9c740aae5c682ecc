import FoundationEssentials
import Quantities
import Tracking

package struct WatchHeader: Codable, Sendable, Hashable {
    package let watch: Int
    package let version: String

    package init(version: String) {
        watch = 1
        self.version = version
    }
}

/// Sends the engine's events and the tracker's status to the clients that watch.
///
/// Without a client, the feed does no work. If a client reads too slowly, the feed drops and counts the lines for this client. Once
/// half of the client's buffer is free, the feed sends the count and the present status.
package struct WatchFeed {
    private struct Watcher {
        fileprivate let client: ControlConnection
        /// The number of lines dropped since the client received the last line.
        fileprivate var lost = 0
        /// Whether the feed must still send the present status to the client.
        fileprivate var lacksStatus = true

        /// Whether the stream is open, and the client has received the count of all dropped lines.
        var keepsUp: Bool { lost == 0 && client.isStreaming }

        mutating func send(_ line: [UInt8], at now: Instant) {
            if lost > 0 || !client.push(line, at: now) { lost += 1 }
        }
    }

    /// The shortest time between two snapshots of the status.
    private let pause: Duration
    /// When the program started; `t` is the time since then.
    private let began: Instant
    private let encoder = JSONEncoder()
    private var watchers: [Watcher] = []
    /// Whether the status may differ from the last snapshot.
    private var hasChanged = false
    /// The instant of the last snapshot for all clients; nil if there was none.
    private var lastStatus: Instant?

    /// Makes a feed without clients; `began` is the instant at which the program started.
    init(since began: Instant, pause: Duration) {
        self.began = began
        self.pause = pause
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    var isWatched: Bool { !watchers.isEmpty }

    var count: Int { watchers.count }

    /// When the next snapshot is due; nil if nothing has changed since the last snapshot, or if no client can receive a snapshot.
    var deadline: Instant? {
        guard hasChanged, watchers.contains(where: \.keepsUp) else { return nil }
        return lastStatus.map { $0 + pause } ?? .boot
    }

    mutating func add(_ client: ControlConnection) { watchers.append(Watcher(client: client)) }

    mutating func noteChange() { hasChanged = isWatched }

    mutating func note(_ effect: Effect, _ stored: StoredRecord?, time: Timestamp, at now: Instant) {
        guard isWatched, var line = EventLine(effect, stored: stored, at: now, since: began) else { return }
        line.at = time.description
        // If no client keeps up, the feed only counts the line, and does not encode it.
        let bytes = watchers.contains(where: \.keepsUp) ? encode(line) : []
        for index in watchers.indices { watchers[index].send(bytes, at: now) }
    }

    /// Removes the clients whose connection is closed, and sends the number of lost events and the status if they are due.
    mutating func turn(at now: Instant, time: Timestamp, status: () -> Status) {
        guard isWatched else { return }
        watchers.removeAll(where: \.client.isClosed)
        for index in watchers.indices { resume(&watchers[index], time: time, at: now) }
        if let deadline, deadline <= now {
            for index in watchers.indices { watchers[index].lacksStatus = true }
            (hasChanged, lastStatus) = (false, now)
        }
        guard watchers.contains(where: { $0.keepsUp && $0.lacksStatus }) else { return }
        // A client that connects again and again must not delay the snapshots for the other clients.
        if watchers.count == 1 { lastStatus = now }
        let bytes = encode(StatusLine(t: seconds(at: now), at: time.description, status: status()))
        for index in watchers.indices where watchers[index].keepsUp && watchers[index].lacksStatus {
            watchers[index].send(bytes, at: now)
            watchers[index].lacksStatus = false
        }
    }

    /// Sends the number of lost events to a client if half of its buffer is free again.
    private func resume(_ watcher: inout Watcher, time: Timestamp, at now: Instant) {
        guard watcher.lost > 0, watcher.client.hasRoom else { return }
        let line = LostLine(t: seconds(at: now), at: time.description, count: watcher.lost)
        guard watcher.client.push(encode(line), at: now) else { return }
        (watcher.lost, watcher.lacksStatus) = (0, true)
    }

    private func seconds(at now: Instant) -> Double { (now - began).thousandths }

    private func encode(_ line: some Encodable) -> [UInt8] {
        guard let data = try? encoder.encode(line) else { return [] }
        return [UInt8](data) + [UInt8(ascii: "\n")]
    }
}

private struct StatusLine: Encodable {
    let t: Double
    let at: String
    let event = "status"
    let status: Status

    private enum CodingKeys: CodingKey { case t, at, event, status }
}

/// The number of events that a client has lost.
private struct LostLine: Encodable {
    let t: Double
    let at: String
    let event = "lost"
    let count: Int

    private enum CodingKeys: CodingKey { case t, at, event, count }
}
