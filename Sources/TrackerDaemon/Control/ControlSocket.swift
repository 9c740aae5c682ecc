import CLinux
import Glibc
package import Hardware
package import Quantities
package import Tracking

/// The end of the control socket at which clients arrive; docs/control.md tells what they may say.
///
/// Nothing here waits, and what clients can take is bounded: their number, what each may send and leave unread, and
/// how fast it may ask. With no client it costs a descriptor in the loop's `poll` and nothing else.
package final class ControlSocket: EventSource {
    /// More clients than this are turned away.
    package static let mostClients = 8
    /// Who may use the socket beside its owner.
    private static let group = "trackerd"
    /// When the system has no descriptor left for a client, the next try is this much later.
    private static let rest = Duration.seconds(10)

    /// What the log calls it.
    package let name = "control socket"
    /// Why clients cannot arrive; nothing while they can.
    package private(set) var fault: (any Fault)?

    private let path: String
    private let descriptor: Int32
    private let limits: ControlConnection.Limits
    private var restsUntil: Instant?
    /// Those who are connected; who has been served last stands last.
    private(set) var connections: [ControlConnection] = []

    /// Opens the socket at a path, in place of one that a program left behind.
    ///
    /// `pace` is how much faster than the world's clients the loop's clock runs.
    package init(path: String, pace: Double = 1) throws(ControlSocketError) {
        self.path = path
        limits = ControlConnection.Limits(pace: pace)
        descriptor = try Self.open(path)
    }

    /// Everything that the loop waits for because of the socket.
    package var sources: [any EventSource] { [self] + connections }

    /// Waits for a client.
    package var wait: Wait { restsUntil.map { Wait(deadline: $0) } ?? Wait(.read(descriptor)) }

    /// Takes in the clients that have arrived.
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
                let text = "\(Self.mostClients) clients are connected already. Try again, or end one of them."
                connection.end(saying: text, at: now)
            }
        }
        return []
    }

    private func noteFailure(_ reason: Int32, at now: Instant) {
        guard ![EAGAIN, EINTR, ECONNABORTED].contains(reason) else { return }
        fault = ClientError(reason: String(cString: strerror(reason)))
        restsUntil = now + Self.rest
    }

    /// The next request; of several clients each has its turn.
    func nextRequest(at now: Instant) -> (client: ControlConnection, line: [UInt8])? {
        for (index, connection) in connections.enumerated() {
            guard let line = connection.takeRequest(at: now) else { continue }
            connections.append(connections.remove(at: index))
            return (connection, line)
        }
        return nil
    }

    /// Lets go of the clients that are gone; tells why, where that was not their own wish.
    func forgetClosed() -> [String] {
        let closed = connections.filter(\.isClosed)
        if !closed.isEmpty { connections.removeAll(where: \.isClosed) }
        return closed.compactMap(\.dropReason)
    }

    /// Ends the socket, and takes its file away.
    func close() {
        for connection in connections { connection.close() }
        connections = []
        unlink(path)
    }

    deinit { Glibc.close(descriptor) }
}

/// Opening.
extension ControlSocket {
    private static func open(_ path: String) throws(ControlSocketError) -> Int32 {
        guard path.utf8.count <= clinux_local_longest_path() else {
            let limit = Int(clinux_local_longest_path())
            throw ControlSocketError(path: path, cause: .tooLong(limit: limit))
        }
        try removeStale(path)
        // The rights are right from the start: a chmod afterwards could hit what somebody has put in the socket's place.
        let descriptor = clinux_local_bind(path, 0o660)
        guard descriptor >= 0 else { throw refusal(path) }
        // Who starts the program by hand, and does not belong to the group, keeps the socket to a group of their own.
        let group = getgrnam(Self.group).map { $0.pointee.gr_gid }
        guard group.map({ clinux_local_give(path, $0) || errno == EPERM }) ?? true,
            fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, listen(descriptor, Int32(mostClients)) == 0
        else {
            let refusal = refusal(path)
            Glibc.close(descriptor)
            unlink(path)
            throw refusal
        }
        return descriptor
    }

    /// A program that was killed leaves its socket behind, at which nobody answers.
    private static func removeStale(_ path: String) throws(ControlSocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw ControlSocketError(path: path, cause: .isNoSocket) }
        let probe = clinux_local_open(path, false)
        if probe >= 0 {
            Glibc.close(probe)
            throw ControlSocketError(path: path, cause: .isInUse)
        }
        guard errno == ECONNREFUSED else { throw refusal(path) }
        unlink(path)
    }

    private static func refusal(_ path: String) -> ControlSocketError {
        ControlSocketError(path: path, cause: .refused(String(cString: strerror(errno))))
    }
}

/// A client of the control socket cannot be accepted.
struct ClientError: Fault {
    /// The system's reason.
    let reason: String

    var severity: FaultSeverity { .degraded }
    var subject: String { "control socket" }
    var cause: String { "a client cannot be accepted (\(reason)); retrying" }
    var remedy: String? { nil }
}
