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

    /// The notice about messages that trackerd ignores on the topic of orders.
    static let droppedMessages =
        "trackerd ignores retained messages, and messages of more than 256 KiB, on the topic of orders"

    /// Subscribes over a new connection; returns false if the connection is lost.
    mutating func begin(over session: OpaquePointer, on topic: String, at now: Instant) -> Bool {
        (due, opened) = (nil, now)
        return cmosquitto_listen(session, topic)
    }

    /// Notes that the connection was closed or could not be opened, and determines when to connect again.
    mutating func end(at now: Instant) {
        if let opened, now - opened >= Self.steadyTime { backoff.reset() }
        (due, opened) = (now + backoff.next(), nil)
    }

    /// Returns the messages that have arrived.
    func messages(from session: OpaquePointer) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        while case let length = Int(cmosquitto_next_order(session)), length >= 0 {
            var message = [UInt8](repeating: 0, count: length)
            cmosquitto_take_order(session, &message)
            messages.append(message)
        }
        return messages
    }
}
