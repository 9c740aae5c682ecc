import CLinux
import Glibc
package import Hardware
package import Quantities
package import Tracking

/// The listening end of the control socket; docs/control.md describes the requests.
///
/// The socket never blocks. It limits the number of clients, and the unread bytes and the request rate of each client. If no client
/// is connected, its only cost is a descriptor in the loop's `poll`.
package final class ControlSocket: EventSource {
    package enum Access: Sendable, Hashable {
        /// Send all requests.
        case command
        /// Send the requests that change nothing.
        case read

        /// The group that may use the socket, in addition to its owner.
        package var group: String {
            switch self {
            case .command: "trackerd"
            case .read: "trackerd-read"
            }
        }

        /// The key of the configuration with the path of the socket.
        package var key: String {
            switch self {
            case .command: "control.socket"
            case .read: "control.readSocket"
            }
        }

        package var title: String {
            switch self {
            case .command: "control socket"
            case .read: "read socket"
            }
        }

        func admits(_ request: any ControlRequest.Type) -> Bool {
            switch self {
            case .command: true
            case .read: request.isReading
            }
        }
    }

    /// The maximum number of clients; the socket rejects further clients.
    package static let mostClients = 8
    /// The maximum number of clients that watch or record; the other connections remain free for requests.
    static let mostStreams = 4
    /// The pause before the next attempt if the system cannot accept a client, for example because no descriptor is
    /// left.
    private static let rest = Duration.seconds(10)

    package var name: String { access.title }
    package let access: Access
    /// Why clients cannot connect; nil if they can connect.
    package private(set) var fault: (any Fault)?

    private let path: String
    private let descriptor: Int32
    private let limits: ControlConnection.Limits
    /// The factor by which the loop's clock runs faster than the clients' clocks.
    package let pace: Double
    private var restsUntil: Instant?
    /// The connected clients; the client served last is at the end.
    private(set) var connections: [ControlConnection] = []

    /// Opens the socket at a path; replaces a socket file that a killed program has left behind.
    ///
    /// The loop's clock runs faster than the clients' clocks by the factor `pace`.
    package init(path: String, access: Access = .command, pace: Double = 1) throws(ControlSocketError) {
        (self.path, self.access, self.pace) = (path, access, pace)
        limits = ControlConnection.Limits(pace: pace)
        descriptor = try Self.open(path, access)
    }

    package var sources: [any EventSource] { [self] + connections }

    /// What the loop waits for: a client, or the end of the pause after a failed attempt to accept a client.
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
                    "\(Self.mostClients) clients are connected already. Try again later, or end one of these clients."
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

    /// Removes and returns the next request; the clients take turns.
    func nextRequest(at now: Instant) -> (client: ControlConnection, line: [UInt8])? {
        for (index, connection) in connections.enumerated() {
            guard let line = connection.takeRequest(at: now) else { continue }
            connections.append(connections.remove(at: index))
            return (connection, line)
        }
        return nil
    }

    /// Removes the closed connections; returns one reason for each client that the daemon has dropped.
    func forgetClosed() -> [String] {
        let closed = connections.filter(\.isClosed)
        if !closed.isEmpty { connections.removeAll(where: \.isClosed) }
        return closed.compactMap(\.dropReason)
    }

    /// Closes the connections, and removes the file of the socket.
    package func close() {
        for connection in connections { connection.close() }
        connections = []
        unlink(path)
    }

    deinit { Glibc.close(descriptor) }
}

extension ControlSocket {
    private static func open(_ path: String, _ access: Access) throws(ControlSocketError) -> Int32 {
        guard path.utf8.count <= clinux_local_longest_path() else {
            let limit = Int(clinux_local_longest_path())
            throw ControlSocketError(path: path, access: access, cause: .tooLong(limit: limit))
        }
        try removeStale(path, access)
        // A client that finds the file must soon find a listener too, so the slow search for the group comes first.
        let group = getgrnam(access.group).map { $0.pointee.gr_gid }
        // `bind` sets the mode, because another user could replace the socket with a file between `bind` and a separate
        // `chmod`.
        let descriptor = clinux_local_bind(path, 0o660)
        guard descriptor >= 0 else { throw refusal(path, access) }
        // If the user is not in the group, the socket belongs to the user's own group.
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

    /// Removes the socket file that a killed program has left behind.
    private static func removeStale(_ path: String, _ access: Access) throws(ControlSocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlSocketError(path: path, access: access, cause: .isNoSocket)
        }
        let probe = clinux_local_open(path, false)
        if probe >= 0 {
            Glibc.close(probe)
            throw ControlSocketError(path: path, access: access, cause: .isInUse)
        }
        guard errno == ECONNREFUSED else { throw refusal(path, access) }
        unlink(path)
    }

    private static func refusal(_ path: String, _ access: Access) -> ControlSocketError {
        ControlSocketError(path: path, access: access, cause: .refused(String(cString: strerror(errno))))
    }
}

struct ClientError: Fault {
    let subject: String
    let reason: String

    var severity: FaultSeverity { .degraded }
    var cause: String { "trackerd cannot accept a client (\(reason)); retrying" }
    var remedy: String? { nil }
}

/// The tracker cannot open the control socket or the read socket, and runs without it.
package struct ControlSocketError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Cause: Sendable, Hashable {
        /// The path has more bytes than the system allows.
        case tooLong(limit: Int)
        /// Another program answers at this path.
        case isInUse
        /// The file at the path is not a socket.
        case isNoSocket
        /// The system refuses the socket, for this reason.
        case refused(String)
    }

    package let path: String
    package let access: ControlSocket.Access
    package let cause: Cause

    package var description: String {
        let loss =
            switch access {
            case .command: "`trackerd status` and the other commands cannot reach the daemon."
            case .read: "the programs that use the read socket cannot reach the daemon."
            }
        return "\(path): \(reason) Then restart trackerd. Until the restart, \(loss)"
    }

    private var reason: String {
        switch cause {
        case .tooLong(let limit):
            "the path of the \(access.title) is longer than \(limit) bytes. Set `\(access.key)` to a shorter path."
        case .isInUse:
            "another program answers at the \(access.title). End that program, or set another path in `\(access.key)`."
        case .isNoSocket:
            "a file exists at the path of the \(access.title). Remove the file, or set another path in `\(access.key)`."
        case .refused(let reason):
            "trackerd cannot create the \(access.title) (\(reason)). Create the folder and let trackerd write to it, or set another path in `\(access.key)`."
        }
    }
}
