import CSodium
package import Quantities

/// The sessions of the browsers that have logged in.
package struct Sessions: Sendable {
    /// The session of one browser.
    private struct Session {
        let token: String
        var lastUse: Instant
    }

    /// The time without a request after which a session ends; most owners open the page more often.
    package static let longestPause = Duration.seconds(7 * 86_400)
    /// The maximum number of sessions; a further session replaces the least recently used session.
    package static let most = 64

    private var sessions: [String: Session] = [:]

    package init() {}

    /// Adds a session; `id` and `token` are secrets from random bytes.
    package mutating func add(_ id: String, token: String, at now: Instant) {
        if sessions.count >= Self.most, let oldest = sessions.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            sessions[oldest.key] = nil
        }
        sessions[id] = Session(token: token, lastUse: now)
    }

    /// Returns the token for the actions of a session, and stores the time of this use; nil if there is no such session.
    package mutating func token(of id: String?, at now: Instant) -> String? {
        guard let id, let session = sessions[id] else { return nil }
        guard now - session.lastUse <= Self.longestPause else {
            sessions[id] = nil
            return nil
        }
        sessions[id]?.lastUse = now
        return session.token
    }

    /// Ends a session.
    package mutating func remove(_ id: String) { sessions[id] = nil }
}

/// The waiting time after wrong passwords.
///
/// After the fifth wrong password, the waiting time is 2 seconds. Each further wrong password doubles this time, up to
/// 15 minutes.
package struct LoginDelay: Sendable {
    private struct Failures {
        var count: Int
        var last: Instant
    }

    private static let free = 5
    private static let backoff = Backoff(first: .seconds(2), longest: .seconds(900))
    /// The maximum number of stored addresses; a further address replaces the address with the oldest failure.
    private static let most = 1000

    private var failures: [String: Failures] = [:]

    package init() {}

    /// Returns the time until this address may try again; zero if it may try now.
    package func pause(for address: String, at now: Instant) -> Duration {
        guard let found = failures[address], found.count >= Self.free else { return .zero }
        let end = found.last + Self.backoff.pause(afterFailures: found.count - Self.free + 1)
        return max(.zero, end - now)
    }

    /// Counts a wrong password.
    package mutating func noteFailure(of address: String, at now: Instant) {
        if failures[address] == nil, failures.count >= Self.most,
            let oldest = failures.min(by: { $0.value.last < $1.value.last })
        {
            failures[oldest.key] = nil
        }
        failures[address] = Failures(count: (failures[address]?.count ?? 0) + 1, last: now)
    }

    /// Deletes the failures of an address after a correct password.
    package mutating func reset(_ address: String) { failures[address] = nil }
}

/// Makes secrets from random bytes.
enum SecretText {
    /// Returns 64 hexadecimal digits from 32 random bytes.
    static func next() -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        csodium_random(&bytes, bytes.count)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
