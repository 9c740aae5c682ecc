import CLinux
import Compatibility
import FoundationEssentials
import Glibc
import TrackerDaemon
import Tracking

/// A command's end of the daemon's control socket: one request, one answer.
final class ControlClient {
    /// What the daemon answers at once comes within this.
    private static let patience_s = 10

    private let path: String
    private let descriptor: Int32

    /// Connects to the daemon.
    init(path: String) throws(ControlClientError) {
        self.path = path
        descriptor = clinux_local_open(path, false)
        guard descriptor < 0 else { return }
        let cause = errno
        guard cause != EACCES else { throw .forbidden(path: path) }
        throw .noDaemon(path: path, cause: String(cString: strerror(cause)))
    }

    deinit { close(descriptor) }

    /// Asks, and waits for the answer: as long as it takes, when `waits` says that it may take long.
    func ask<Result: Codable>(
        _ request: String, _ values: [OptionTree.Entry], waits: Bool, as _: Result.Type
    ) throws(ControlClientError) -> Result {
        send(JSONTree(.mapping([.init("request", line: nil, .text(request))] + values)))
        let line = try receive(waits: waits)
        guard let answer = try? JSONDecoder().decode(ControlAnswer<Result>.self, from: Data(line)) else {
            throw .unreadable(path: path)
        }
        if let error = answer.error { throw .refused(error) }
        guard let result = answer.result else { throw .unreadable(path: path) }
        return result
    }

    /// Sends a line; when that fails the daemon is gone, or has said why it does not listen: `receive` finds out.
    private func send(_ request: JSONTree) {
        guard let data = try? JSONEncoder().encode(request) else { return }
        var rest = ([UInt8](data) + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { clinux_local_send(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(waits: Bool) throws(ControlClientError) -> [UInt8] {
        var line: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&polled, 1, waits ? -1 : Int32(Self.patience_s) * 1000)
            guard ready != 0 else { throw .silent(path: path, seconds: Self.patience_s) }
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .ended(path: path) }
            line += chunk[..<count]
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return Array(line[..<end]) }
        }
    }
}
