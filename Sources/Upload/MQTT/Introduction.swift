internal import Quantities

/// When to publish the messages that describe the device: after each connection, and when a subscriber requests them.
struct Introduction: Sendable, Hashable {
    /// Whether the messages were published over this connection.
    private(set) var isDone = false
    private var last = Instant.boot
    /// When to publish the messages again; nil if no subscriber has requested this.
    private(set) var due: Instant?

    /// The shortest time between two publications; it limits the traffic if a subscriber restarts again and again.
    private static let interval: Duration = .seconds(30)

    mutating func request(at now: Instant) { due = due ?? max(now, last + Self.interval) }

    mutating func carriedOut(at now: Instant) { (isDone, last, due) = (true, now, nil) }
}

/// Sentences for the owner; the list returns each sentence once.
struct NoticeList: Sendable, Hashable {
    private var new: [String] = []
    private var known: [String] = []

    /// The maximum number of sentences, because a broker may state many different reasons; the list drops later
    /// sentences.
    private static let most = 50

    mutating func add(_ notice: String) {
        guard !known.contains(notice), known.count < Self.most else { return }
        known.append(notice)
        new.append(notice)
    }

    mutating func take() -> [String] {
        defer { new = [] }
        return new
    }
}
