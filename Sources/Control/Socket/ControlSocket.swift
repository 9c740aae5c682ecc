import CLinux
import Glibc
package import Hardware
package import Quantities
package import Tracking

/// The listening end of the control socket or the read socket; docs/control.md describes the requests. It never blocks.
/// It limits the number of clients, and each client's unread bytes and rate of requests. Without a client it costs only
/// a descriptor in `poll`.
package final class ControlSocket: EventSource {
    /// One of the two sockets: its name in messages, the group that may use it, and whether its clients may only read.
    package struct Access: Sendable, Hashable {
        package static let command = Access(
            title: "control socket", key: "control.socket", group: "trackerd",
            clients: "`trackerd status` and the other commands", isForReading: false)
        package static let read = Access(
            title: "read socket", key: "control.readSocket", group: "trackerd-read",
            clients: "the programs that use the read socket", isForReading: true)

        fileprivate let title: String
        /// The key of the configuration that sets the path.
        fileprivate let key: String
        /// The group whose members may use the socket, besides the user that created it.
        fileprivate let group: String
        fileprivate let clients: String
        fileprivate let isForReading: Bool

        func admits(_ request: any ControlRequest.Type) -> Bool { !isForReading || request.isReading }
    }

    /// Further clients are rejected.
    package static let mostClients = 8
    /// The limit leaves connections free for requests.
    static let mostStreams = 4
    /// The pause after a client could not be accepted, for example because no descriptor was free.
    private static let rest = Duration.seconds(10)

    package var name: String { access.title }
    package let access: Access
    package private(set) var fault: (any Fault)?

    private let path: String
    private let descriptor: Int32
    private let limits: ControlConnection.Limits
    package let pace: Double
    private var restsUntil: Instant?
    /// The connection that was served last is at the end.
    private(set) var connections: [ControlConnection] = []

    /// Replaces the file of a killed program. `pace`: how much faster the loop's clock runs than the clients' clocks.
    package init(path: String, access: Access = .command, pace: Double = 1) throws(ControlError) {
        (self.path, self.access, self.pace) = (path, access, pace)
        limits = ControlConnection.Limits(pace: pace)
        descriptor = try Self.open(path, access)
    }

    package var sources: [any EventSource] { [self] + connections }

    package var wait: Wait { restsUntil.map { Wait(deadline: $0) } ?? Wait(.read(descriptor)) }

    package func advance(at now: Instant) -> [Event] {
        if let restsUntil, now < restsUntil { return [] }
        (restsUntil, fault) = (nil, nil)
        for _ in 0..<Self.mostClients {
            let client = clinux_local_accept(descriptor)
            guard client >= 0 else {
                noteFailure(errno, at: now)
                break
            }
            let connection = ControlConnection(client, limits: limits, at: now)
            if connections.count < Self.mostClients {
                connections.append(connection)
            } else {
                let text =
                    "\(Self.mostClients) clients are already connected. Try again later, or end one of these clients."
                connection.end(saying: text, at: now)
            }
        }
        return []
    }

    private func noteFailure(_ reason: Int32, at now: Instant) {
        guard ![EAGAIN, EINTR, ECONNABORTED].contains(reason) else { return }
        fault = ClientError(subject: access.title, reason: String(cString: strerror(reason)))
        restsUntil = now + Self.rest
    }

    var streamCount: Int { connections.count(where: \.isStreaming) }

    /// The clients take turns.
    func nextRequest(at now: Instant) -> (client: ControlConnection, line: [UInt8])? {
        for (index, connection) in connections.enumerated() {
            guard let line = connection.takeRequest(at: now) else { continue }
            connections.append(connections.remove(at: index))
            return (connection, line)
        }
        return nil
    }

    /// Returns why clients were dropped; a client that closed its connection itself has no reason.
    func forgetClosed() -> [String] {
        let closed = connections.filter(\.isClosed)
        if !closed.isEmpty { connections.removeAll(where: \.isClosed) }
        return closed.compactMap(\.dropReason)
    }

    /// Also removes the file.
    package func close() {
        for connection in connections { connection.close() }
        connections = []
        unlink(path)
    }

    deinit { Glibc.close(descriptor) }
}

extension ControlSocket {
    private static func open(_ path: String, _ access: Access) throws(ControlError) -> Int32 {
        guard path.utf8.count <= clinux_local_longest_path() else {
            let limit = Int(clinux_local_longest_path())
            throw error(
                path, access,
                "the path of the \(access.title) is longer than \(limit) bytes. Set `\(access.key)` to a shorter path.")
        }
        try removeStale(path, access)
        // A client that finds the file must soon find a listener too, so the slow search for the group comes first.
        let group = getgrnam(access.group).map { $0.pointee.gr_gid }
        // `bind` itself sets the mode, because another user could replace the socket between `bind` and a later
        // `chmod`.
        let descriptor = clinux_local_bind(path, 0o660)
        guard descriptor >= 0 else { throw refusal(path, access) }
        // If the group does not exist, or the user is not in it, the socket keeps the user's own group.
        guard group.map({ clinux_local_give(path, $0) || errno == EPERM }) ?? true,
            fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, listen(descriptor, Int32(mostClients)) == 0
        else {
            let refusal = refusal(path, access)
            Glibc.close(descriptor)
            unlink(path)
            throw refusal
        }
        return descriptor
    }

    /// Removes the file that a killed program has left.
    private static func removeStale(_ path: String, _ access: Access) throws(ControlError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw error(
                path, access,
                "a file exists at the path of the \(access.title). Remove the file, or set another path in `\(access.key)`."
            )
        }
        let probe = clinux_local_open(path, false)
        if probe >= 0 {
            Glibc.close(probe)
            throw error(
                path, access,
                "another program answers at the \(access.title). End that program, or set another path in `\(access.key)`."
            )
        }
        guard errno == ECONNREFUSED else { throw refusal(path, access) }
        unlink(path)
    }

    private static func refusal(_ path: String, _ access: Access) -> ControlError {
        let reason = String(cString: strerror(errno))
        return error(
            path, access,
            "trackerd cannot create the \(access.title) (\(reason)). Create the folder and let trackerd write to it, or set another path in `\(access.key)`."
        )
    }

    /// After such an error, the tracker runs without this socket.
    private static func error(_ path: String, _ access: Access, _ reason: String) -> ControlError {
        ControlError(
            "\(path): \(reason) Then restart trackerd. Until the restart, \(access.clients) cannot reach the daemon.")
    }
}

struct ClientError: Fault {
    let subject: String
    let reason: String

    var severity: FaultSeverity { .degraded }
    var cause: String { "trackerd cannot accept a client (\(reason)); retrying" }
    var remedy: String? { nil }
}
