import CLinux
import Glibc
import Quantities

/// Lines to and from the daemon's socket, without blocking.
struct LineConnection {
    /// -1 while closed.
    private(set) var descriptor: Int32 = -1
    private var input: [UInt8] = []
    private let path: String
    /// In bytes; all lines of the daemon are shorter.
    private static let longestLine = 2 * 1024 * 1024

    init(path: String) { self.path = path }

    var isOpen: Bool { descriptor >= 0 }

    /// Returns why the attempt failed; nil on success.
    mutating func open() -> String? {
        guard !isOpen else { return nil }
        descriptor = clinux_local_connect(path)
        input = []
        return descriptor >= 0 ? nil : String(cString: strerror(errno))
    }

    mutating func close() {
        if isOpen { Glibc.close(descriptor) }
        (descriptor, input) = (-1, [])
    }

    /// False if the socket does not take the whole line.
    func send(_ line: String) -> Bool {
        let bytes = Array(line.utf8) + [10]
        return clinux_local_send(descriptor, bytes, bytes.count) == bytes.count
    }

    /// Nil if the connection has ended, or if a line is too long.
    mutating func receive() -> [String]? {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0, input.count < Self.longestLine else { return nil }
            input += chunk[..<count]
            if count < chunk.count { break }
        }
        guard let end = input.lastIndex(of: 10) else { return [] }
        defer { input.removeSubrange(...end) }
        return input[..<end].split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The requests of all browsers over one connection, one after another.
struct Questions {
    /// A line of JSON; nil without a reply, or if too many requests wait.
    typealias Receiver = (String?) -> Void

    /// The daemon disconnects a client that sends more than 50 a second.
    private static let mostPerSecond = 40
    private let patience: Duration
    /// The daemon accepts only eight clients, so an unused connection is closed.
    private static let idle = Duration.seconds(30)
    private static let most = 256

    private struct Question {
        let line: String
        let receiver: Receiver
    }

    private var connection: LineConnection
    private var waiting: [Question] = []
    private var asked: Question?
    private var askedAt = Instant.boot
    private var sent: [Instant] = []

    init(path: String, patience: Duration = .seconds(10)) {
        connection = LineConnection(path: path)
        self.patience = patience
    }

    var descriptor: Int32 { connection.descriptor }

    func deadline(at now: Instant) -> Instant? {
        if asked != nil { return askedAt + patience }
        if !waiting.isEmpty { return sent.first.map { $0 + .seconds(1) } ?? now }
        return connection.isOpen ? askedAt + Self.idle : nil
    }

    mutating func ask(_ line: String, _ receiver: @escaping Receiver) {
        guard waiting.count < Self.most else { return receiver(nil) }
        waiting.append(Question(line: line, receiver: receiver))
    }

    mutating func turn(isReady: Bool, at now: Instant) {
        if isReady, connection.isOpen {
            guard let lines = connection.receive() else { return fail() }
            for line in lines { finish(line) }
        }
        if asked != nil, now - askedAt >= patience { fail() }
        if asked == nil, waiting.isEmpty, connection.isOpen, now - askedAt >= Self.idle { connection.close() }
        sent.removeAll { now - $0 >= .seconds(1) }
        guard asked == nil, !waiting.isEmpty, sent.count < Self.mostPerSecond else { return }
        let question = waiting.removeFirst()
        let isOpen = connection.open() == nil
        (asked, askedAt) = (question, now)
        sent.append(now)
        if !isOpen || !connection.send(question.line) { fail() }
    }

    private mutating func finish(_ line: String?) {
        let question = asked
        asked = nil
        question?.receiver(line)
    }

    private mutating func fail() {
        connection.close()
        let lost = waiting
        waiting = []
        finish(nil)
        for question in lost { question.receiver(nil) }
    }
}

struct DaemonRequests {
    enum Line {
        case reading, acting
        /// The doctor takes so long that other requests must not wait for its reply.
        case examining
    }

    private var reading: Questions
    private var examining: Questions
    /// Nil if the page is read-only.
    private var acting: Questions?

    init(_ settings: PageSettings) {
        reading = Questions(path: settings.readSocket)
        examining = Questions(path: settings.readSocket, patience: .seconds(75))
        acting = settings.controlSocket.map { Questions(path: $0) }
    }

    /// In the order of `ready` in `turn`; -1 for a closed connection.
    var descriptors: [Int32] { [reading.descriptor, acting?.descriptor ?? -1, examining.descriptor] }

    func deadline(at now: Instant) -> Instant? {
        .earliest(reading.deadline(at: now), acting?.deadline(at: now), examining.deadline(at: now))
    }

    mutating func turn(ready: [Bool] = [false, false, false], at now: Instant) {
        reading.turn(isReady: ready[0], at: now)
        acting?.turn(isReady: ready[1], at: now)
        examining.turn(isReady: ready[2], at: now)
    }

    mutating func ask(_ request: String, through line: Line, _ receiver: @escaping Questions.Receiver) {
        switch line {
        case .reading: reading.ask(request, receiver)
        case .acting: acting?.ask(request, receiver)
        case .examining: examining.ask(request, receiver)
        }
    }
}
