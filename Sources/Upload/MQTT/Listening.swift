internal import CMosquitto
internal import Quantities

/// Listens for orders on a topic, and determines when to connect again after a lost connection.
struct Listening {
    /// When to connect; nil while the connection is open.
    private(set) var due: Instant? = .boot
    private var opened: Instant?
    /// A connection that lasts for this time resets the pauses between attempts; after a shorter connection the pauses grow.
    private static let steadyTime: Duration = .seconds(60)
    private var backoff = Backoff(first: .seconds(2), longest: .seconds(300))

    /// The reason of the last loss that the log does not contain yet.
    private var loss: String?
    private var nextReport = Instant.boot
    /// The log contains at most one loss of the connection in this time.
    private static let reportPause: Duration = .seconds(60)
    /// The messages of a connection that was then lost.
    ///
    /// The library has already acknowledged these messages, so the broker does not send them again.
    private var rescued: [[UInt8]] = []
    private var refusals: [OrderError] = []

    /// Subscribes over a new connection; returns false if the connection is lost.
    mutating func begin(over session: OpaquePointer, on topic: String, at now: Instant) -> Bool {
        (due, opened) = (nil, now)
        return cmosquitto_listen(session, topic)
    }

    /// Notes that the connection was closed or could not be opened, and determines when to connect again.
    ///
    /// - `reason`: why an open connection was lost; nil if trackerd itself has closed it.
    mutating func end(because reason: String?, at now: Instant) {
        if opened != nil, let reason { loss = reason }
        if let opened, now - opened >= Self.steadyTime { backoff.reset() }
        (due, opened) = (now + backoff.next(), nil)
    }

    /// Keeps the messages of a connection that is about to be closed.
    mutating func rescue(from session: OpaquePointer) { rescued = messages(from: session) }

    /// Returns the messages that the library has dropped since the last call, as refused orders.
    mutating func takeRefusals(from session: OpaquePointer?) -> [OrderError] {
        if let session { noteDropped(session) }
        defer { refusals = [] }
        return refusals
    }

    /// Returns a sentence about the last loss of the connection, at most one in a minute; nil if there is nothing to
    /// report now.
    mutating func takeLoss(at now: Instant) -> String? {
        guard let reason = loss, now >= nextReport else { return nil }
        (loss, nextReport) = (nil, now + Self.reportPause)
        return "the connection for orders was lost (\(reason)); orders that arrive before the next connection are lost"
    }

    private mutating func noteDropped(_ session: OpaquePointer) {
        let (oversized, dropped) = (cmosquitto_take_oversized(session), cmosquitto_take_dropped(session))
        refusals += Array(repeating: .malformed("is longer than 256 KiB"), count: Int(oversized))
        refusals += Array(repeating: .dropped, count: Int(dropped))
    }

    /// Returns the messages that have arrived.
    mutating func messages(from session: OpaquePointer?) -> [[UInt8]] {
        var messages = rescued
        rescued = []
        guard let session else { return messages }
        noteDropped(session)
        while case let length = Int(cmosquitto_next_order(session)), length >= 0 {
            var message = [UInt8](repeating: 0, count: length)
            cmosquitto_take_order(session, &message)
            messages.append(message)
        }
        return messages
    }
}

extension Verdict {
    /// Why a connection was lost; nil if trackerd itself has closed it.
    var reasonOfLoss: String? {
        switch self {
        case .delivered, .withheld, .postponed: nil
        case .linkFailed(let reason), .retry(let reason, _), .crashed(let reason, _), .refused(let reason),
            .unwritable(let reason), .unauthorised(let reason):
            reason
        }
    }
}
