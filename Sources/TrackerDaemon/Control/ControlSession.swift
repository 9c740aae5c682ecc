import Hardware
import Logging
import Quantities
import Store
import Tracking

/// The parts of the tracker that a request may use.
package struct ControlSession {
    /// The tracker.
    let tracker: Tracker
    /// The time of the request.
    let now: Instant
    /// The client of the socket; nil for an order of a server.
    let client: ControlConnection?
    /// The ID that the client gave the request.
    let id: String?
    /// The order that contains the request; nil for a client of the socket.
    var order: StoredOrder?

    /// The present engine.
    var engine: Engine { tracker.engine }

    /// The engine's estimate of the time.
    var time: Timestamp { engine.time(at: now) }

    /// Passes the events to the engine one after the other, and tries to write the result to disk.
    func handle(_ events: Event...) -> ControlChange {
        let before = tracker.engine
        let records = events.flatMap { tracker.handle($0, at: now) }
        // One transaction contains all effects of an order; the tracker commits the transaction at the end of the order.
        let isOnDisk = client == nil || tracker.performer.save(tracker.engine.state, at: now)
        return ControlChange(before: before, after: tracker.engine, records: records, isOnDisk: isOnDisk)
    }

    /// Sends the reply as soon as a location for this action is recorded.
    func replyWithLocation(for action: ActionParameters) {
        // A server needs no reply, because it receives the record of the location.
        guard let client else { return }
        tracker.pendingLocates.append(PendingLocate(client: client, id: id, action: action))
    }

    /// Replies with the header of a recording; the client then receives each report of a sensor.
    func streamEvents(after header: RecordingHeader) throws(ControlError) {
        guard let client else { return }
        try checkStreams()
        client.beginStream(with: .success(header, id: id), at: now)
        tracker.recorders.append(EventRecorder(client, since: now))
    }

    /// Replies with the version of the stream, and sends the client the status and each later event.
    func streamStatus() throws(ControlError) {
        guard let client else { return }
        try checkStreams()
        client.beginStream(with: .success(WatchHeader(version: tracker.version), id: id), at: now)
        tracker.watchFeed.add(client)
        tracker.uploads.reportToLoop(true)
    }

    /// Refuses a stream if the other clients would have too few connections for their requests.
    private func checkStreams() throws(ControlError) {
        let socket = tracker.sockets.first { socket in socket.connections.contains { $0 === client } }
        guard socket.map({ $0.streamCount < ControlSocket.mostStreams }) ?? true else {
            throw ControlError(
                "\(ControlSocket.mostStreams) clients watch or record already. Try again later, or end one of these clients."
            )
        }
    }
}

/// The changes that a request has made.
struct ControlChange {
    /// The engine before the request.
    let before: Engine
    /// The engine after the request.
    let after: Engine
    /// The resulting records.
    let records: [StoredRecord]
    fileprivate let isOnDisk: Bool

    /// Returns the response to the request, with one sentence about the result.
    func outcome(_ text: String) -> ControlOutcome {
        ControlOutcome(text: text, on_disk: isOnDisk, records: records.map(ControlRecord.init))
    }
}

/// A client that waits for a location.
struct PendingLocate {
    let client: ControlConnection
    let id: String?
    let action: ActionParameters
}

/// Serves the control socket.
extension Tracker {
    /// Answers at most one request per socket; the loop then serves the devices before the next request.
    func serveControl(at now: Instant) {
        for socket in sockets { serve(socket, at: now) }
        if !recorders.isEmpty { recorders.removeAll(where: \.client.isClosed) }
    }

    /// The sockets for clients.
    var sockets: [ControlSocket] { [control, reading].compactMap(\.self) }

    private func serve(_ socket: ControlSocket, at now: Instant) {
        if let (client, bytes) = socket.nextRequest(at: now) {
            let line = ControlLine(bytes, among: controlRequests)
            let session = ControlSession(tracker: self, now: now, client: client, id: line.id)
            do throws(ControlError) {
                let request = try line.request.get()
                turns.note("request \(type(of: request).manual.name)")
                try check(request, from: socket)
                if let reply = try request.reply(in: session) { client.answer(reply, at: now) }
            } catch {
                client.answer(.failure(error.description, id: line.id), at: now)
            }
        }
        for reason in socket.forgetClosed() {
            log.debug("control client dropped", metadata: ["reason": "\(reason)"])
        }
    }

    private func check(_ request: any ControlRequest, from socket: ControlSocket) throws(ControlError) {
        guard !socket.access.admits(type(of: request)) else { return }
        throw ControlError(
            "`\(type(of: request).manual.name)` is not available at the read socket. Use the control socket, which belongs to the group trackerd."
        )
    }

    /// Sends the status and the number of lost events to the clients that watch, if these lines are due.
    ///
    /// The loop calls this function at the end of each turn.
    func serveWatchers(at now: Instant) {
        guard watchFeed.isWatched else { return }
        watchFeed.turn(at: now, time: engine.time(at: now)) { status(at: now) }
        if !watchFeed.isWatched { uploads.reportToLoop(metrics != nil) }
    }

    /// Replies to the clients that wait for a location, once the location is recorded.
    func answerLocates(with records: [StoredRecord], at now: Instant) {
        for stored in records {
            guard case .request(let answer) = stored.record.content,
                let index = pendingLocates.firstIndex(where: { $0.action == answer.action })
            else { continue }
            let locate = pendingLocates.remove(at: index)
            let result = ControlLocation(stored, answer, isOnDisk: performer.isOnDisk(stored))
            let failure = answer.failure.map {
                $0 == RequestAnswer.isPrivate
                    ? "\($0). `trackerd status` shows why."
                    : "\($0). Give the antenna a clear view of the sky, or raise `fixTimeout`."
            }
            let reply = failure.map { ControlReply.failure($0, with: result, id: locate.id) }
            locate.client.answer(reply ?? .success(result, id: locate.id), at: now)
        }
    }
}

extension ControlRequest {
    /// Carries out the request; returns the reply, or nil if the client receives the reply in another way.
    fileprivate func reply(in session: ControlSession) throws(ControlError) -> ControlReply? {
        try run(in: session).map { .success($0, id: session.id) }
    }
}
