import CLinux
import Glibc
package import Hardware
package import Quantities

/// gpsd's control socket: one command at a time, its answer awaited without blocking.
///
/// A gpsd that was started without devices, as systemd's socket does, ends when its last one is taken away and nobody is
/// connected; the next command starts it anew, by that socket.
package final class GpsdControl {
    /// A command of gpsd(8), "Runtime management".
    package enum Command: Sendable, Hashable {
        /// Begin to use a device.
        case add(device: String)
        /// Let go of it.
        case remove(device: String)
        /// Send these bytes to the receiver.
        case send(hexadecimal: String, device: String)

        fileprivate var line: String {
            switch self {
            case .add(let device): "+\(device)\r\n"
            case .remove(let device): "-\(device)\r\n"
            case .send(let hexadecimal, let device): "&\(device)=\(hexadecimal)\r\n"
            }
        }
    }

    /// What came of a command.
    package enum Answer: Sendable, Hashable {
        case ok
        /// gpsd refuses it: it has the device already, has not got it, or cannot write to it.
        case refused
        /// There is nobody at the socket.
        case absent(reason: String)
        /// gpsd was connected to, but does not answer.
        case silent
    }

    /// How gpsd's answers begin: in words (3.22), in JSON (3.25).
    private static let words: [(text: String, answer: Answer)] = [
        ("OK", .ok), ("ERROR", .refused), (#"{"class":"ACK"}"#, .ok), (#"{"class":"ERROR"}"#, .refused),
    ]

    /// gpsd answers nobody while it opens a device and asks it what it is (3.22: three seconds); longer than this it hangs.
    package static let patience: Duration = .seconds(10)

    /// Where the socket is.
    package let path: String
    private var descriptor: Int32 = -1
    private var giveUpAt = Instant.boot
    private var heard: [UInt8] = []

    /// Names the socket; nothing is opened yet.
    package init(path: String) { self.path = path }

    deinit { hangUp() }

    /// Whether a command is under way.
    package var isBusy: Bool { descriptor >= 0 }

    /// What to wait for while a command is under way.
    package var wait: Wait { isBusy ? Wait(.read(descriptor), deadline: giveUpAt) : Wait() }

    /// Sends a command, in place of one that is under way; an answer when there is no need to wait for it.
    package func send(_ command: Command, at now: Instant) -> Answer? {
        hangUp()
        descriptor = clinux_local_connect(path)
        // A listener with a full queue: gpsd is there, but does not come to look.
        guard descriptor >= 0 else {
            return errno == EAGAIN ? .silent : .absent(reason: String(cString: strerror(errno)))
        }
        giveUpAt = now + Self.patience
        let line = Array(command.line.utf8)
        guard clinux_local_send(descriptor, line, line.count) == line.count else { return end(.silent) }
        return nil
    }

    /// Reads the answer, if it is there; nothing while it is awaited.
    package func advance(at now: Instant) -> Answer? {
        guard isBusy else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        if count > 0 { heard += bytes.prefix(count) }
        if let word = Self.words.first(where: { heard.starts(with: Array($0.text.utf8)) }) { return end(word.answer) }
        let isGone = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
        return isGone || now >= giveUpAt || heard.count > bytes.count ? end(.silent) : nil
    }

    /// Waits for the answer in real time, for the end of the program.
    package func awaitAnswer(for milliseconds: Int32) {
        guard isBusy else { return }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, milliseconds)
        hangUp()
    }

    private func end(_ answer: Answer) -> Answer {
        hangUp()
        return answer
    }

    private func hangUp() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        heard = []
    }
}
