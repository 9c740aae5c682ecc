import CLinux
import Foundation
import Glibc

/// A gpsd's control socket without gpsd, answering from a script; driven by the test, on the test's thread.
final class MockGpsdControl {
    /// How it treats what it is told.
    enum Manner {
        case answers(String)
        /// Takes the command, and says nothing.
        case isSilent
        /// Closes without an answer.
        case hangsUp
    }

    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString.prefix(8)).sock").path
    var manner = Manner.answers("OK\n")
    /// What it was told, without the ends of the lines.
    private(set) var commands: [String] = []
    private var listener: Int32
    private var clients: [Int32] = []

    init() {
        listener = clinux_local_open(path, true)
        listen(listener, 4)
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    }

    deinit { end() }

    /// Goes away, as a gpsd that is stopped.
    func end() {
        for descriptor in clients + [listener] where descriptor >= 0 { close(descriptor) }
        clients = []
        listener = -1
        unlink(path)
    }

    /// Takes what has come, and answers.
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
