import FoundationEssentials
import Quantities
import Tracking

package struct WatchHeader: Codable, Sendable, Hashable {
    package let watch: Int
    package let version: String
}

/// Sends the engine's events and the tracker's status to the clients that watch. Lines for a client that reads too slowly
/// are dropped and counted; it gets the count and the present status once half of its buffer is free.
package struct WatchFeed {
    private struct Watcher {
        fileprivate let client: ControlConnection
        /// The number of lines dropped since the last one that the client received.
        fileprivate var lost = 0
        fileprivate var lacksStatus = true

        /// True if the stream is open and all dropped lines are reported.
        var keepsUp: Bool { lost == 0 && client.isStreaming }

        mutating func send(_ line: [UInt8], at now: Instant) {
            if lost > 0 || !client.push(line, at: now) { lost += 1 }
        }
    }

    private let pause: Duration
    /// The moment from which `t` counts.
    private let began: Instant
    private let encoder = JSONEncoder()
    private var watchers: [Watcher] = []
    private var hasChanged = false
    /// The next status may follow once `pause` has passed since this time; nil before the first.
    private var lastStatus: Instant?

    init(since began: Instant, pause: Duration) {
        self.began = began
        self.pause = pause
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    var isWatched: Bool { !watchers.isEmpty }

    var count: Int { watchers.count }

    /// When the next status is due; nil if nothing has changed, or if no watching client keeps up.
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

    /// Sends the status if it is due, and the number of lost lines to each client that has room again.
    mutating func turn(at now: Instant, time: Timestamp, status: () -> Status) {
        guard isWatched else { return }
        watchers.removeAll(where: \.client.isClosed)
        for index in watchers.indices { resume(&watchers[index], time: time, at: now) }
        if let deadline, deadline <= now {
            for index in watchers.indices { watchers[index].lacksStatus = true }
            (hasChanged, lastStatus) = (false, now)
        }
        guard watchers.contains(where: { $0.keepsUp && $0.lacksStatus }) else { return }
        // A client that connects again and again must not delay the status for the other clients.
        if watchers.count == 1 { lastStatus = now }
        let bytes = encode(
            FeedLine(t: seconds(at: now), at: time.description, event: "status", status: status()))
        for index in watchers.indices where watchers[index].keepsUp && watchers[index].lacksStatus {
            watchers[index].send(bytes, at: now)
            watchers[index].lacksStatus = false
        }
    }

    private func resume(_ watcher: inout Watcher, time: Timestamp, at now: Instant) {
        guard watcher.lost > 0, watcher.client.hasRoom else { return }
        let line = FeedLine(t: seconds(at: now), at: time.description, event: "lost", count: watcher.lost)
        guard watcher.client.push(encode(line), at: now) else { return }
        (watcher.lost, watcher.lacksStatus) = (0, true)
    }

    private func seconds(at now: Instant) -> Double { (now - began).thousandths }

    private func encode(_ line: some Encodable) -> [UInt8] {
        guard let data = try? encoder.encode(line) else { return [] }
        return [UInt8](data) + [UInt8(ascii: "\n")]
    }
}

private struct FeedLine: Encodable {
    let t: Double
    let at: String
    let event: String
    var status: Status?
    /// The number of lost lines.
    var count: Int?
}
