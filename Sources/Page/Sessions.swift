import CSodium
import Quantities

struct Sessions: Sendable {
    private struct Session {
        let token: String
        var lastUse: Instant
    }

    /// After this time without a request a session ends; most owners open the page more often.
    static let longestPause = Duration.seconds(7 * 86_400)
    /// The limit of sessions; a further one replaces the least recently used.
    static let most = 64

    private var sessions: [String: Session] = [:]

    /// `id` and `token` are secrets from random bytes.
    mutating func add(_ id: String, token: String, at now: Instant) {
        if sessions.count >= Self.most, let oldest = sessions.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            sessions[oldest.key] = nil
        }
        sessions[id] = Session(token: token, lastUse: now)
    }

    /// Extends the session; nil if there is none.
    mutating func token(of id: String?, at now: Instant) -> String? {
        guard let id, let session = sessions[id] else { return nil }
        guard now - session.lastUse <= Self.longestPause else {
            sessions[id] = nil
            return nil
        }
        sessions[id]?.lastUse = now
        return session.token
    }

    mutating func remove(_ id: String) { sessions[id] = nil }
}

/// Delays log-ins from an address by 2 seconds after its fifth wrong password; each further one doubles the delay, up
/// to 15 minutes.
struct LoginDelay: Sendable {
    private struct Failures {
        var count: Int
        var last: Instant
    }

    private static let free = 5
    private static let backoff = Backoff(first: .seconds(2), longest: .seconds(900))
    /// The limit of addresses; a further one replaces the address that failed longest ago.
    private static let most = 1000

    private var failures: [String: Failures] = [:]

    /// Zero if the address may try now.
    func pause(for address: String, at now: Instant) -> Duration {
        guard let found = failures[address], found.count >= Self.free else { return .zero }
        let end = found.last + Self.backoff.pause(afterFailures: found.count - Self.free + 1)
        return max(.zero, end - now)
    }

    mutating func noteFailure(of address: String, at now: Instant) {
        if failures[address] == nil, failures.count >= Self.most,
            let oldest = failures.min(by: { $0.value.last < $1.value.last })
        {
            failures[oldest.key] = nil
        }
        failures[address] = Failures(count: (failures[address]?.count ?? 0) + 1, last: now)
    }

    mutating func reset(_ address: String) { failures[address] = nil }
}

enum SecretText {
    /// 64 hexadecimal digits from 32 random bytes.
    static func next() -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        csodium_random(&bytes, bytes.count)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
