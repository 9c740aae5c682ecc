import Control
import Devices
import Glibc
import Quantities

/// Redraws the status in place, on the terminal's alternate screen, so that the earlier text comes back at the
/// end.
final class WatchScreen: WatchOutput {
    /// The shortest time between two redraws, so that a burst of events causes only one.
    private static let pause = Duration.milliseconds(100)
    /// The longest time between two redraws, because ages are shown in seconds.
    private static let interval = Duration.seconds(1)
    /// Enters the alternate screen, without line wrap and cursor (private modes of xterm and DEC).
    private static let enter = "\u{1b}[?1049h\u{1b}[?7l\u{1b}[?25l"
    private static let leave = "\u{1b}[?25h\u{1b}[?7h\u{1b}[?1049l"

    private let socket: String
    private let writer: LineWriter
    private var view: WatchView
    private var keyboard: termios?
    private var drawnAt: Instant?
    private var hasChanged = true

    init(socket: String, clock: ZoneClock) throws {
        self.socket = socket
        writer = try LineWriter(nil)
        view = WatchView(clock: clock)
    }

    static var isPossible: Bool {
        let kind = getenv("TERM").map { String(cString: $0) } ?? ""
        return isatty(STDOUT_FILENO) == 1 && !["", "dumb"].contains(kind)
    }

    var failure: OutputError? { writer.failure }
    var deadline: Instant? { drawnAt.map { $0 + (hasChanged ? Self.pause : Self.interval) } ?? .boot }

    func begin() {
        var settings = termios()
        if tcgetattr(STDIN_FILENO, &settings) == 0 {
            keyboard = settings
            settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
            // Ctrl-Z and Ctrl-\ would leave the terminal on the alternate screen. The value 0 disables a key (termios(3)).
            withUnsafeMutableBytes(of: &settings.c_cc) { for key in [VSUSP, VQUIT] { $0[Int(key)] = 0 } }
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        // The handler is empty, because the signal only has to end the wait. The next redraw uses the new size.
        signal(SIGWINCH) { _ in }
        writer.write(raw: Self.enter)
        writer.flush()
    }

    func end() {
        writer.write(raw: Self.leave)
        writer.flush()
        if var keyboard { tcsetattr(STDIN_FILENO, TCSANOW, &keyboard) }
    }

    func connect(_ header: WatchHeader, again: Bool) {
        view.title = "trackerd \(header.version) at \(socket)".printable()
        view.connect(again: again, time: BootClock().wallTime().time)
        hasChanged = true
    }

    func take(_ line: String, at now: Instant) {
        guard let event = WatchEvent(line) else { return }
        view.take(event, at: now)
        hasChanged = true
    }

    func disconnect(_ reason: String) {
        view.disconnect(reason, time: BootClock().wallTime().time)
        hasChanged = true
    }

    func turn(at now: Instant) {
        let size = Self.size
        if let deadline, now < deadline, size == drawnSize { return }
        let time = BootClock().wallTime().time
        let lines = view.lines(columns: size.columns, rows: size.rows, time: time, at: now)
        // Each line overwrites the former line and erases only the remainder, so the screen does not flicker.
        writer.write(raw: "\u{1b}[H" + lines.map { "\($0)\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
        writer.flush()
        (drawnAt, drawnSize, hasChanged) = (now, size, false)
    }

    private struct Size: Equatable {
        let columns: Int
        let rows: Int
    }

    private var drawnSize: Size?

    private static var size: Size {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
