import Control
import CLinux
import Compatibility
import FoundationEssentials
import Glibc
import Quantities
import Tracking

final class ControlClient {
    /// The longest wait for a reply that the daemon should send at once.
    private static let timeout_s = 10

    private let path: String
    /// For a caller that waits for several descriptors.
    let descriptor: Int32
    /// The received bytes that follow the last returned line.
    private var input: [UInt8] = []

    init(path: String) throws(ControlClientError) {
        self.path = path
        descriptor = clinux_local_open(path, false)
        guard descriptor < 0 else { return }
        let cause = errno
        guard cause != EACCES else { throw .forbidden(path: path) }
        throw .noDaemon(path: path, cause: String(cString: strerror(cause)))
    }

    deinit { close(descriptor) }

    /// With `waits`, waits for the result without a limit of time.
    func ask<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry] = [], waits: Bool = false
    ) throws(ControlClientError) -> Request.Response {
        send(ControlLine.bytes(of: request.manual.name, values))
        let line = try receive(waits: waits)
        guard let answer = try? JSONDecoder().decode(ControlAnswer<Request.Response>.self, from: Data(line)) else {
            throw .unreadable(path: path)
        }
        if let error = answer.error { throw .refused(error) }
        guard let result = answer.result else { throw .unreadable(path: path) }
        return result
    }

    /// Ignores a failure: `receive` then returns the daemon's last line, or throws.
    private func send(_ line: [UInt8]) {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { clinux_local_send(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(waits: Bool) throws(ControlClientError) -> [UInt8] {
        while true {
            if let line = takeLine() { return line }
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&polled, 1, waits ? -1 : Int32(Self.timeout_s) * 1000)
            guard ready != 0 else { throw .silent(path: path, seconds: Self.timeout_s) }
            guard receiveMore() else { throw .ended(path: path) }
        }
    }

    private func takeLine() -> [UInt8]? {
        guard let end = input.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { input.removeSubrange(...end) }
        return Array(input[..<end])
    }

    func takeLines() -> [String] {
        guard let end = input.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        defer { input.removeSubrange(...end) }
        return input[...end].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// False if the daemon has closed the connection, or if reading fails.
    func receiveMore() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { return true }
        guard count > 0 else { return false }
        input += chunk[..<count]
        return true
    }

    /// Calls `body` with each line until it returns false, a signal arrives, or the daemon closes the connection.
    func forEachLine(_ body: (String) -> Bool) {
        let signals = clinux_signals_open()
        defer { close(signals) }
        while true {
            for line in takeLines() {
                guard body(line) else { return }
            }
            var polled = [descriptor, signals].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, 2, -1) >= 0 || errno == EINTR else { return }
            if polled[1].revents != 0 { return }
            if polled[0].revents != 0, !receiveMore() { return }
        }
    }
}

enum ControlClientError: Error, Hashable, CustomStringConvertible {
    case noDaemon(path: String, cause: String)
    case forbidden(path: String)
    case ended(path: String)
    case silent(path: String, seconds: Int)
    /// Probably the daemon has another version.
    case unreadable(path: String)
    case refused(String)

    var description: String {
        switch self {
        case .noDaemon(let path, let cause):
            """
            \(path): no daemon answers at this socket (\(cause)). After `sudo trackerd setup`, start the daemon with \
            `sudo systemctl start trackerd`. If the daemon uses another socket, choose it with --socket or --config.
            """
        case .forbidden(let path):
            "\(path): this user has no permission to use the socket. Join the group trackerd, or use sudo."
        case .ended(let path): "\(path): the daemon closed the connection before it replied. Check the daemon's log."
        case .silent(let path, let seconds):
            "\(path): the daemon has not replied within \(seconds) s. Check the daemon's log, or restart the daemon."
        case .unreadable(let path):
            "\(path): trackerd cannot decode the daemon's reply. If trackerd was updated after the daemon started, restart the daemon."
        case .refused(let reason): reason.printable(limit: 4000)
        }
    }
}
