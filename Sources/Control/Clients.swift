import FoundationEssentials
package import Hardware
package import Logging
package import Quantities
import Store
package import Tracking

/// Answers requests, and sends what clients wait for: recordings, events, locations.
package final class Clients {
    package struct Caller {
        fileprivate let client: ControlConnection
        /// The id that the client gave its request.
        fileprivate let id: String?
    }

    private struct PendingLocate {
        let caller: Caller
        let action: ActionParameters
    }

    var requests = ControlRequests.all
    /// Nil if the program cannot run the doctor.
    package var doctor: DoctorDesk?
    package private(set) var feed: WatchFeed

    private let sockets: [ControlSocket]
    private let version: String
    private let log: Logger
    private var locates: [PendingLocate] = []
    private var recorders: [EventRecorder] = []

    package init(_ sockets: [ControlSocket], version: String, since began: Instant, log: Logger) {
        self.sockets = sockets
        self.version = version
        self.log = log
        feed = WatchFeed(since: began, pause: .seconds(1) * (sockets.first?.pace ?? 1))
    }

    /// How much faster the loop's clock runs than the clients' clocks.
    package var pace: Double { sockets.first?.pace ?? 1 }

    package var sources: [any EventSource] { [doctor].compactMap(\.self) + sockets.flatMap(\.sources) }

    package var deadline: Instant? { feed.deadline }

    package var areWatching: Bool { feed.isWatched }

    /// Serves at most one request per socket, so that devices are served before the next one. `isHandling` gets each
    /// request's name.
    package func serve(at now: Instant, _ makeSession: (Caller) -> any Session, isHandling: (String) -> Void) {
        for socket in sockets {
            if let (client, bytes) = socket.nextRequest(at: now) {
                let line = ControlLine(bytes, among: requests)
                let session = makeSession(Caller(client: client, id: line.id))
                do throws(ControlError) {
                    let request = try line.request.get()
                    isHandling(type(of: request).manual.name)
                    try check(request, from: socket)
                    // Without a result, the reply comes later, or has already begun a stream.
                    if let result = try request.run(in: session) {
                        client.answer(.success(result, id: line.id), at: now)
                    }
                } catch {
                    client.answer(.failure(error.description, id: line.id), at: now)
                }
            }
            for reason in socket.forgetClosed() {
                log.debug("control client dropped", metadata: ["reason": "\(reason)"])
            }
        }
        if !recorders.isEmpty { recorders.removeAll(where: \.client.isClosed) }
    }

    private func check(_ request: any ControlRequest, from socket: ControlSocket) throws(ControlError) {
        guard !socket.access.admits(type(of: request)) else { return }
        throw ControlError(
            "`\(type(of: request).manual.name)` is not available at the read socket. Use the control socket, which belongs to the group trackerd."
        )
    }

    package func close() { for socket in sockets { socket.close() } }
}

// MARK: - Answers that come later

extension Clients {
    package func answer(_ caller: Caller, later answer: LaterAnswer, at now: Instant) throws(ControlError) {
        switch answer {
        case .location(let action): locates.append(PendingLocate(caller: caller, action: action))
        case .reports(let header):
            try checkStreams(beside: caller.client)
            caller.client.beginStream(with: .success(header, id: caller.id), at: now)
            recorders.append(EventRecorder(caller.client, since: now))
        case .events:
            try checkStreams(beside: caller.client)
            caller.client.beginStream(with: .success(WatchHeader(watch: 1, version: version), id: caller.id), at: now)
            feed.add(caller.client)
        }
    }

    /// Returns recent findings; nil if the client gets new ones when the checks are complete.
    package func examine(
        for caller: Caller, time: Timestamp, at now: Instant
    ) throws(ControlError) -> ControlExamination? {
        guard let doctor else {
            throw ControlError("this program cannot run the doctor. Run `trackerd doctor` instead.")
        }
        return try doctor.examine(for: caller.client, id: caller.id, time: time, at: now)
    }

    /// Throws if too many clients of the socket receive a stream, because the others need connections for their
    /// requests.
    private func checkStreams(beside client: ControlConnection) throws(ControlError) {
        let socket = sockets.first { socket in socket.connections.contains { $0 === client } }
        guard socket.map({ $0.streamCount < ControlSocket.mostStreams }) ?? true else {
            throw ControlError(
                "\(ControlSocket.mostStreams) clients already watch or record. Try again later, or end one of these clients."
            )
        }
    }

    package func answerLocates(with records: [StoredRecord], at now: Instant, isOnDisk: (StoredRecord) -> Bool) {
        guard !locates.isEmpty else { return }
        for stored in records {
            guard case .request(let answer) = stored.record.content,
                let index = locates.firstIndex(where: { $0.action == answer.action })
            else { continue }
            let caller = locates.remove(at: index).caller
            let result = ControlLocation(stored, answer, isOnDisk: isOnDisk(stored))
            let failure = answer.failure.map {
                $0 == RequestAnswer.isPrivate
                    ? "\($0). `trackerd status` shows why."
                    : "\($0). Give the antenna a clear view of the sky, or raise `fixTimeout`."
            }
            let reply = failure.map { ControlReply.failure($0, with: result, id: caller.id) }
            caller.client.answer(reply ?? .success(result, id: caller.id), at: now)
        }
    }
}

// MARK: - Streams

extension Clients {
    package func record(_ event: Event, at now: Instant) { for recorder in recorders { recorder.note(event, at: now) } }

    package func show(_ effect: Effect, _ stored: StoredRecord?, at now: Instant, time: () -> Timestamp) {
        if feed.isWatched { feed.note(effect, stored, time: time(), at: now) }
    }

    package func noteChange() { feed.noteChange() }

    /// Sends what is due to the clients that watch: the status, and the number of lost lines.
    package func sendStatus(at now: Instant, time: Timestamp, _ status: () -> Status) {
        feed.turn(at: now, time: time, status: status)
    }
}

/// Sends the sensors' reports to a client; drops and counts those that the client reads too slowly.
final class EventRecorder {
    fileprivate let client: ControlConnection
    private let began: Instant
    private let encoder = JSONEncoder()
    /// The number of dropped lines that the client has not been informed of.
    private var lost = 0

    init(_ client: ControlConnection, since began: Instant) {
        self.client = client
        self.began = began
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    func note(_ event: Event, at now: Instant) {
        guard let line = RecordedEvent(event, at: now - began) else { return }
        if lost > 0, send(RecordedEvent(lost: lost, at: now - began), at: now) { lost = 0 }
        if lost > 0 || !send(line, at: now) { lost += 1 }
    }

    private func send(_ line: RecordedEvent, at now: Instant) -> Bool {
        guard let data = try? encoder.encode(line) else { return false }
        return client.push([UInt8](data) + [UInt8(ascii: "\n")], at: now)
    }
}
