import Quantities

struct Viewers {
    /// The limit of viewers; further browsers can still load the page.
    private static let most = 8
    /// The interval of the comments in each stream, which detect browsers that have disconnected.
    private static let sign = Duration.seconds(15)

    private var feed: DaemonEvents
    private var viewers: Set<Exchange> = []
    private var lastSign = Instant.boot

    /// `path` is that of the daemon's read socket.
    init(path: String) { feed = DaemonEvents(path: path) }

    var descriptor: Int32 { feed.descriptor }

    var deadline: Instant? {
        viewers.isEmpty ? nil : .earliest(feed.deadline, lastSign + Self.sign)
    }

    mutating func add(_ exchange: Exchange) {
        guard viewers.count < Self.most else {
            return exchange.answer(.failure(503, "Too many browsers show the page. Close one of them."))
        }
        exchange.stream(Answer.guards + [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")])
        viewers.insert(exchange)
        _ = exchange.push("retry: 3000\n\ndata: {\"event\":\"connection\",\"connected\":\(feed.isConnected)}\n\n")
        if let status = feed.lastStatus { _ = exchange.push("data: \(status)\n\n") }
    }

    mutating func remove(_ exchange: Exchange) { viewers.remove(exchange) }

    mutating func turn(isReady: Bool, at now: Instant) {
        publish(feed.turn(isWanted: !viewers.isEmpty, isReady: isReady, at: now))
        guard !viewers.isEmpty, now - lastSign >= Self.sign else { return }
        lastSign = now
        push(": \n\n")
    }

    /// Connects for viewers that have come since `turn`.
    mutating func connect(at now: Instant) {
        if !viewers.isEmpty { publish(feed.turn(isWanted: true, isReady: false, at: now)) }
    }

    private mutating func publish(_ events: [String]) {
        if !events.isEmpty { push(events.map { "data: \($0)\n\n" }.joined()) }
    }

    private mutating func push(_ text: String) {
        for viewer in viewers where !viewer.push(text) { viewers.remove(viewer) }
    }
}

/// The daemon's events, received once for all viewers; without viewers the connection is closed.
struct DaemonEvents {
    private var connection: LineConnection
    private var backoff = Backoff(first: .seconds(1), longest: .seconds(10))
    private var nextAttempt = Instant.boot
    /// The last status, which a new viewer receives at once.
    private(set) var lastStatus: String?
    private(set) var isConnected = false

    init(path: String) { connection = LineConnection(path: path) }

    var descriptor: Int32 { connection.descriptor }

    /// Nil while the connection is open.
    var deadline: Instant? { connection.isOpen ? nil : nextAttempt }

    mutating func turn(isWanted: Bool, isReady: Bool, at now: Instant) -> [String] {
        guard isWanted else {
            connection.close()
            (isConnected, lastStatus, nextAttempt) = (false, nil, .boot)
            return []
        }
        if !connection.isOpen {
            guard now >= nextAttempt else { return [] }
            guard connection.open() == nil, connection.send(#"{"request":"watch"}"#) else { return lose(at: now) }
            return []
        }
        guard isReady else { return [] }
        guard let lines = connection.receive() else { return lose(at: now) }
        var events: [String] = []
        for line in lines {
            if !isConnected {
                guard line.hasPrefix(#"{"ok":true"#) else { return events + lose(at: now) }
                isConnected = true
                backoff.reset()
                events.append(#"{"event":"connection","connected":true}"#)
            } else {
                if line.contains(#""event":"status""#) { lastStatus = line }
                events.append(line)
            }
        }
        return events
    }

    private mutating func lose(at now: Instant) -> [String] {
        connection.close()
        (isConnected, lastStatus) = (false, nil)
        nextAttempt = now + backoff.next()
        return [#"{"event":"connection","connected":false}"#]
    }
}
