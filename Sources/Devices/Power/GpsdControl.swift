import CLinux
import Glibc
package import Hardware
package import Quantities

/// gpsd's control socket; sends one command at a time, and receives the answer without blocking.
///
/// If systemd's socket started gpsd without devices, gpsd ends when its last device is removed and no client is connected. The next
/// command then starts gpsd again through systemd's socket.
package final class GpsdControl {
    /// A command of gpsd(8), "Runtime management".
    package enum Command: Sendable, Hashable {
        /// Start to use a device.
        case add(device: String)
        case remove(device: String)
        /// Send these bytes to the receiver at a device.
        case send(hexadecimal: String, device: String)

        fileprivate var line: String {
            switch self {
            case .add(let device): "+\(device)\r\n"
            case .remove(let device): "-\(device)\r\n"
            case .send(let hexadecimal, let device): "&\(device)=\(hexadecimal)\r\n"
            }
        }
    }

    /// The result of a command.
    package enum Answer: Sendable, Hashable {
        case ok
        /// gpsd refused the command: it already uses the device, does not use the device, or cannot write to it.
        case refused
        /// trackerd cannot connect to the socket, for this reason.
        case absent(reason: String)
        /// gpsd does not accept the connection, ends it, or does not answer in time.
        case silent
    }

    /// The beginnings of gpsd's answers, which are plain words (release 3.22) or JSON (release 3.25).
    private static let words: [(text: String, answer: Answer)] = [
        ("OK", .ok), ("ERROR", .refused), (#"{"class":"ACK"}"#, .ok), (#"{"class":"ERROR"}"#, .refused),
    ]

    /// The longest time for an answer.
    ///
    /// gpsd does not answer while it opens and identifies a device (release 3.22: three seconds). After this time the program
    /// treats gpsd as stuck.
    package static let answerTimeout: Duration = .seconds(10)

    package let path: String
    private var descriptor: Int32 = -1
    private var giveUpAt = Instant.boot
    private var heard: [UInt8] = []

    /// Makes a control; the first command opens the socket.
    package init(path: String) { self.path = path }

    deinit { hangUp() }

    /// Whether a command has no answer yet.
    package var isBusy: Bool { descriptor >= 0 }

    /// The wait for the answer to a command; empty if there is none.
    package var wait: Wait { isBusy ? Wait(.read(descriptor), deadline: giveUpAt) : Wait() }

    /// Sends a command, which replaces a pending command.
    ///
    /// Returns nil if the answer is pending; if the command cannot be sent, returns `absent` or `silent`.
    package func send(_ command: Command, at now: Instant) -> Answer? {
        hangUp()
        descriptor = clinux_local_connect(path)
        // EAGAIN means that gpsd's queue of new connections is full. gpsd then runs, but does not accept connections.
        guard descriptor >= 0 else {
            return errno == EAGAIN ? .silent : .absent(reason: String(cString: strerror(errno)))
        }
        giveUpAt = now + Self.answerTimeout
        let line = Array(command.line.utf8)
        guard clinux_local_send(descriptor, line, line.count) == line.count else { return end(.silent) }
        return nil
    }

    /// Reads the answer; nil if it has not arrived, or if no command is pending.
    package func advance(at now: Instant) -> Answer? {
        guard isBusy else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        if count > 0 { heard += bytes.prefix(count) }
        if let word = Self.words.first(where: { heard.starts(with: Array($0.text.utf8)) }) { return end(word.answer) }
        let isGone = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
        return isGone || now >= giveUpAt || heard.count > bytes.count ? end(.silent) : nil
    }

    /// Waits for the answer in real time; used at the end of the program.
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

/// gpsd did not carry out a command from its control socket.
package enum GpsdControlError: Fault {
    /// trackerd cannot connect to the socket, for this reason.
    case absent(String, reason: String)
    /// The program at the socket does not answer.
    case silent(String)
    /// gpsd cannot write to the receiver.
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
