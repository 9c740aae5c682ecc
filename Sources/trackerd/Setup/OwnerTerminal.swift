import Doctor
import Glibc

struct OwnerTerminal: SetupTerminal {
    func write(_ line: String) { print(line) }

    func ask(_ question: String) -> String? {
        print(question, terminator: "")
        fflush(nil)
        guard let line = readLine() else {
            print("")
            return nil
        }
        return line.trimmed
    }

    func askSecret(_ question: String) -> String? {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return ask(question) }
        shownInput = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        signal(SIGINT) { _ in
            // The terminal must show the input of later commands again.
            if var settings = shownInput { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
            _exit(130)
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        defer {
            if var settings = shownInput { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
            signal(SIGINT, SIG_DFL)
            print("")
        }
        print(question, terminator: "")
        fflush(nil)
        return readLine()
    }
}

/// The settings with which the input is shown; the handler of Ctrl-C restores them.
nonisolated(unsafe) private var shownInput: termios?

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return String(text)
    }
}
