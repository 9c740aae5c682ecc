import CLinux
import Foundation
import Glibc

/// A replacement for gpsd's control socket, with scripted answers, on the test's thread.
final class MockGpsdControl {
    enum Manner {
        case answers(String)
        /// Accepts the command without an answer.
        case isSilent
        /// Closes the connection without an answer.
        case hangsUp
    }

    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString.prefix(8)).sock").path
    var manner = Manner.answers("OK\n")
    /// The received commands, without line ends.
    private(set) var commands: [String] = []
    private var listener: Int32
    private var clients: [Int32] = []

    init() {
        listener = clinux_local_open(path, true)
        listen(listener, 4)
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    }

    deinit { end() }

    /// Closes the socket, as if gpsd was stopped.
    func end() {
        for descriptor in clients + [listener] where descriptor >= 0 { close(descriptor) }
        clients = []
        listener = -1
        unlink(path)
    }

    func pump() {
        while listener >= 0, case let client = clinux_local_accept(listener), client >= 0 { clients.append(client) }
        for client in clients {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(client, &bytes, bytes.count)
            guard count > 0 else { continue }
            let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            commands += text.split(separator: "\r\n").map(String.init)
            switch manner {
            case .answers(let answer): _ = clinux_local_send(client, answer, answer.utf8.count)
            case .isSilent: break
            case .hangsUp:
                shutdown(client, Int32(SHUT_RDWR))
            }
        }
    }
}
