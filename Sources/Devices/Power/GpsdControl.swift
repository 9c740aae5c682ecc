import CLinux
import Glibc
package import Hardware
package import Quantities

/// Sends one command at a time to gpsd's control socket, without blocking. A gpsd that systemd's socket started without
/// devices ends when its last device and client have gone; the next command starts it again.
package final class GpsdControl {
    /// gpsd(8), "GPS device management".
    package enum Command: Sendable, Hashable {
        case add(device: String)
        case remove(device: String)
        case send(hexadecimal: String, device: String)

        fileprivate var line: String {
            switch self {
            case .add(let device): "+\(device)\r\n"
            case .remove(let device): "-\(device)\r\n"
            case .send(let hexadecimal, let device): "&\(device)=\(hexadecimal)\r\n"
            }
        }
    }

    package enum Answer: Sendable, Hashable {
        case ok
        /// gpsd already has the device to add, lacks the device to remove, or cannot write to the device.
        case refused
        case absent(reason: String)
        /// gpsd's queue of connections is full, the connection has ended, or no answer came in time.
        case silent
    }

    /// The answers are plain words (release 3.22) or JSON (release 3.25).
    private static let words: [(text: String, answer: Answer)] = [
        ("OK", .ok), ("ERROR", .refused), (#"{"class":"ACK"}"#, .ok), (#"{"class":"ERROR"}"#, .refused),
    ]

    /// After this time gpsd counts as stuck. It does not answer while it opens and identifies a device (release 3.22:
    /// three seconds).
    package static let answerTimeout: Duration = .seconds(10)

    package let path: String
    private var descriptor: Int32 = -1
    private var giveUpAt = Instant.boot
    private var heard: [UInt8] = []

    /// Each command opens the socket anew.
    package init(path: String) { self.path = path }

    deinit { hangUp() }

    package var isBusy: Bool { descriptor >= 0 }

    package var wait: Wait { isBusy ? Wait(.read(descriptor), deadline: giveUpAt) : Wait() }

    /// Replaces a pending command. Nil while the answer is pending, `absent` or `silent` if nothing can be sent.
    package func send(_ command: Command, at now: Instant) -> Answer? {
        hangUp()
        descriptor = clinux_local_connect(path)
        // EAGAIN: gpsd runs, but its queue of new connections is full.
        guard descriptor >= 0 else {
            return errno == EAGAIN ? .silent : .absent(reason: String(cString: strerror(errno)))
        }
        giveUpAt = now + Self.answerTimeout
        let line = Array(command.line.utf8)
        guard clinux_local_send(descriptor, line, line.count) == line.count else { return end(.silent) }
        return nil
    }

    /// Nil if the answer has not arrived, or if no command is pending.
    package func advance(at now: Instant) -> Answer? {
        guard isBusy else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        if count > 0 { heard += bytes.prefix(count) }
        if let word = Self.words.first(where: { heard.starts(with: Array($0.text.utf8)) }) { return end(word.answer) }
        let isGone = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
        return isGone || now >= giveUpAt || heard.count > bytes.count ? end(.silent) : nil
    }

    /// Waits for the answer in real time, at the end of the program.
    package func awaitAnswer(for timeout: Duration) {
        guard isBusy else { return }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, Int32(max(0, timeout.inSeconds) * 1000))
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

package enum GpsdControlError: Fault {
    case absent(String, reason: String)
    case silent(String)
    case refused(String, device: String)

    package var subject: String {
        switch self {
        case .absent(let path, _), .silent(let path), .refused(let path, _): path
        }
    }

    package var cause: String {
        switch self {
        case .absent(_, let reason): "trackerd cannot send commands to gpsd (\(reason))"
        case .silent: "gpsd does not answer"
        case .refused(_, let device): "gpsd cannot send to \(device)"
        }
    }

    package var remedy: String? {
        switch self {
        case .absent(let path, _):
            "Run gpsd with `-F \(path)`, and let trackerd read and write the socket (systemd/gpsd.socket.d)."
        case .silent: "See `journalctl -u gpsd`."
        case .refused: "Run gpsd with `-n` and without `-b`, and check which devices it lists."
        }
    }
}
