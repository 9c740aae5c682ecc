import CLinux
import Glibc
import Hardware
import Quantities
import Tracking

/// One client of a socket. trackerd reads nothing more from it until the reply to its last request has been sent. If a client
/// reads no replies, the system's buffers fill up, and it cannot write any more either.
package final class ControlConnection: EventSource {
    struct Limits: Sendable, Hashable {
        /// The longest line in bytes.
        static let line = 64 * 1024
        /// The most bytes of a stream that may wait for the client: about ten minutes of driving.
        static let stream = 256 * 1024
        static let requestsASecond = 50

        /// The time in which a client must finish a line, or read a reply.
        let patience: Duration
        /// A client is dropped when it has sent no request, or has not read its stream, for this time.
        let idle: Duration
        /// A second of the client's clock, as a duration of the loop's clock.
        let second: Duration

        /// `pace`: how much faster the loop's clock runs than the clients' clocks.
        init(pace: Double) {
            patience = .seconds(10) * pace
            idle = .seconds(300) * pace
            second = .seconds(1) * pace
        }
    }

    private enum State {
        case open
        case asking
        /// The client receives a stream, and no further lines are read.
        case streaming
        case ending
        case closed
    }

    var name: String { "control client" }
    /// Why the daemon dropped the client; nil if it did not.
    private(set) var dropReason: String?

    private let descriptor: Int32
    private let limits: Limits
    private var state = State.open
    private var input: [UInt8] = []
    private var output: ArraySlice<UInt8> = []
    /// True if the client has closed its writing side.
    private var hasFinished = false
    /// When the client is dropped, unless by then it has finished a line, or has read its reply or its stream.
    private var deadline: Instant
    private var countedSince: Instant
    private var requestCount = 0

    init(_ descriptor: Int32, limits: Limits, at now: Instant) {
        self.descriptor = descriptor
        self.limits = limits
        deadline = now + limits.idle
        countedSince = now
    }

    deinit { close() }

    var isClosed: Bool { state == .closed }

    var wait: Wait {
        switch state {
        case .closed: Wait()
        case .asking: Wait(.hangUp(descriptor))
        case .ending: Wait(.write(descriptor), deadline: deadline)
        case .streaming: output.isEmpty ? Wait(.hangUp(descriptor)) : Wait(.write(descriptor), deadline: deadline)
        case .open where !output.isEmpty: Wait(.write(descriptor), deadline: deadline)
        // If a complete line has arrived, the loop handles it without waiting.
        case .open where hasLine: Wait(deadline: .boot)
        case .open: Wait(.read(descriptor), deadline: deadline)
        }
    }

    func advance(at now: Instant) -> [Event] {
        switch state {
        case .closed: break
        case .asking: if clinux_local_is_gone(descriptor) { close() }
        case .streaming:
            if !output.isEmpty { send(at: now) }
            if state != .closed, clinux_local_is_gone(descriptor) { close() }
        case .ending: send(at: now)
        case .open where !output.isEmpty: send(at: now)
        case .open: receive(at: now)
        }
        dropIfLate(at: now)
        return []
    }

    /// Removes and returns a complete line, which the caller must answer. Nil if there is none, or while the client has
    /// not read the previous reply. Nil also after too many requests, which end the connection.
    func takeRequest(at now: Instant) -> [UInt8]? {
        guard state == .open, output.isEmpty, let length = input.firstIndex(of: Self.newline) else { return nil }
        guard countRequest(at: now) else {
            let text =
                "the client sent more than \(Limits.requestsASecond) requests in one second. Send fewer requests."
            end(saying: text, at: now)
            return nil
        }
        let line = Array(input[..<length])
        input.removeSubrange(...length)
        state = .asking
        return line
    }

    /// Answers the last request that `takeRequest` returned.
    func answer(_ reply: ControlReply, at now: Instant) {
        send(reply, then: .open, within: limits.patience, at: now)
    }

    /// Answers the last request that `takeRequest` returned; after that, only lines of the stream follow.
    func beginStream(with reply: ControlReply, at now: Instant) {
        send(reply, then: .streaming, within: limits.idle, at: now)
    }

    private func send(_ reply: ControlReply, then next: State, within patience: Duration, at now: Instant) {
        guard state == .asking else { return }
        state = next
        output = reply.line[...]
        deadline = now + patience
        send(at: now)
    }

    var isStreaming: Bool { state == .streaming }

    /// True if at least half of the stream's buffer is free.
    var hasRoom: Bool { state == .streaming && unreadCount <= Limits.stream / 2 }

    var unreadCount: Int { output.count }

    /// Sends a line of the stream; returns false if the client reads too slowly, or the stream has ended.
    func push(_ line: [UInt8], at now: Instant) -> Bool {
        guard state == .streaming, output.count + line.count <= Limits.stream else { return false }
        if output.isEmpty { deadline = now + limits.idle }
        output += line
        send(at: now)
        return true
    }

    /// Sends the text as a failure, and then closes the connection.
    func end(saying text: String, at now: Instant) {
        dropReason = text
        state = .ending
        output = ControlReply.failure(text, id: nil).line[...]
        deadline = now + limits.patience
        send(at: now)
    }

    func close() {
        guard state != .closed else { return }
        state = .closed
        Glibc.close(descriptor)
    }
}

extension ControlConnection {
    private static let newline = UInt8(ascii: "\n")
    /// The limit of one read in bytes.
    private static let chunk = 16 * 1024

    private var hasLine: Bool { input.contains(Self.newline) }

    private func receive(at now: Instant) {
        guard !hasLine else { return }
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        let count = read(descriptor, &bytes, bytes.count)
        if count > 0 {
            if input.isEmpty { deadline = now + limits.patience }
            input += bytes[..<count]
        } else if count == 0 {
            hasFinished = true
        } else if errno != EAGAIN, errno != EINTR {
            return close()
        }
        let length = input.firstIndex(of: Self.newline) ?? input.count
        if length > Limits.line {
            end(saying: "a line is longer than \(Limits.line / 1024) KiB. Send one JSON object per line.", at: now)
        } else if hasFinished, !hasLine {
            close()
        }
    }

    private func send(at now: Instant) {
        while !output.isEmpty {
            let count = output.withUnsafeBytes { clinux_local_send(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return close() }
            output = output.dropFirst(count)
            deadline = now + (state == .streaming ? limits.idle : limits.patience)
        }
        deadline = now + (input.isEmpty ? limits.idle : limits.patience)
        if state == .ending || state != .streaming && hasFinished && !hasLine { close() }
    }

    private func countRequest(at now: Instant) -> Bool {
        if now - countedSince >= limits.second { (countedSince, requestCount) = (now, 0) }
        requestCount += 1
        return requestCount <= Limits.requestsASecond
    }

    /// Drops the client if its deadline has passed; a client that waits for the daemon stays.
    private func dropIfLate(at now: Instant) {
        guard now >= deadline else { return }
        switch state {
        case .asking, .closed: return
        case .streaming where output.isEmpty: return
        case .streaming: dropReason = "the client has not read its recording or events in time"
        case .open where output.isEmpty && hasLine: return
        case .open where output.isEmpty && input.isEmpty: dropReason = "the client has not sent a request in time"
        case .open, .ending: dropReason = "the client did not finish a line or read a reply in time"
        }
        close()
    }
}
