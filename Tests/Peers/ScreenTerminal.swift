import Foundation

/// A terminal of a given size that interprets the output of a program and stores pictures of its screen.
package enum ScreenTerminal {
    /// The terminal when a step's text appeared, or at the end.
    package struct Picture: Decodable, Sendable {
        /// The lines of the visible screen, without spaces at their ends.
        package let lines: [String]
        /// Whether the program uses the terminal's alternate screen.
        package let isSecondScreen: Bool
        package let isCursorVisible: Bool
        /// Whether the terminal wraps lines that are too long.
        package let breaksLines: Bool

        package var text: String { lines.joined(separator: "\n") }
    }

    /// A step: waits until the screen shows a text, takes a picture, and then may press keys or change the size.
    package struct Step: Encodable, Sendable {
        let text: String
        var keys: String?
        var columns: Int?
        var rows: Int?

        /// In `keys`, `^C` stands for Ctrl-C.
        package static func press(_ keys: String, after text: String) -> Step { Step(text: text, keys: keys) }

        package static func resize(columns: Int, rows: Int, after text: String) -> Step {
            Step(text: text, columns: columns, rows: rows)
        }

        /// Takes a picture once the screen shows `text`.
        package static func look(at text: String) -> Step { Step(text: text) }
    }

    /// The pictures at each step and at the end, the exit status, and whether the settings of the terminal are as before.
    package struct Result: Decodable, Sendable {
        package let pictures: [Picture]
        package let status: Int
        package let isRestored: Bool
        /// The control sequences that the terminal does not support.
        package let unknown: [String]
    }

    /// Runs the command to its end, or kills it after two minutes; a step whose text did not appear has no picture.
    package static func run(
        _ command: [String], columns: Int, rows: Int, steps: [Step], environment: [String: String] = [:]
    ) throws -> Result {
        guard let python = ScriptedTerminal.python else { throw PeerMissing(name: "python3") }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: python)
        let list = String(decoding: try JSONEncoder().encode(steps), as: UTF8.self)
        process.arguments = ["-c", script, list, "\(columns)", "\(rows)"] + command
        process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(Result.self, from: data)
    }

    private static let script = #"""
        import fcntl, json, os, pty, re, select, struct, sys, termios, time

        class Screen:
            """The part of a terminal of ECMA-48 and xterm that such a program uses."""
            modes = {"1049": "second", "7": "wraps", "25": "cursor"}

            def __init__(self, columns, rows):
                self.state = {"second": False, "wraps": True, "cursor": True}
                self.screens, self.unknown, self.rest = {}, [], ""
                self.resize(columns, rows)

            def resize(self, columns, rows):
                self.columns, self.rows, self.x, self.y = columns, rows, 0, 0
                self.screens = {second: [""] * rows for second in (False, True)}

            @property
            def lines(self): return self.screens[self.state["second"]]

            def newline(self):
                self.y += 1
                if self.y == self.rows:
                    self.lines.append("")
                    del self.lines[0]
                    self.y -= 1

            def put(self, character):
                if self.x >= self.columns:
                    if not self.state["wraps"]: self.x = self.columns - 1
                    else:
                        self.x = 0
                        self.newline()
                line = self.lines[self.y].ljust(self.x)
                self.lines[self.y] = line[:self.x] + character + line[self.x + 1:]
                self.x += 1

            def feed(self, text):
                text = self.rest + text
                cut = text.rfind("\x1b")
                ends = cut < 0 or re.match(r"\x1b\[\??[0-9;]*[A-Za-z]", text[cut:])
                self.rest, text = ("", text) if ends else (text[cut:], text[:cut])
                for sequence, mark, number, letter, character in re.findall(
                        r"(\x1b\[(\??)([0-9;]*)([A-Za-z]))|(.)", text, re.S):
                    if character == "\r": self.x = 0
                    elif character == "\n": self.newline()
                    elif character and character >= " ": self.put(character)
                    elif mark and number in self.modes and letter in "hl": self.state[self.modes[number]] = letter == "h"
                    elif not mark and letter == "H" and not number: self.x = self.y = 0
                    elif not mark and letter == "K" and not number: self.lines[self.y] = self.lines[self.y][:self.x]
                    elif not mark and letter == "J" and not number:
                        self.lines[self.y] = self.lines[self.y][:self.x]
                        for below in range(self.y + 1, self.rows): self.lines[below] = ""
                    else: self.unknown.append(sequence or character)

            def picture(self):
                return {"lines": [line.rstrip() for line in self.lines], "isSecondScreen": self.state["second"],
                        "isCursorVisible": self.state["cursor"], "breaksLines": self.state["wraps"]}

        steps, columns, rows, command = json.loads(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
        def set_size(descriptor, columns, rows):
            fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        ready, go = os.pipe()
        pid, terminal = pty.fork()
        if pid == 0:
            os.close(go)
            os.read(ready, 1)
            os.execv(command[0], command)
        set_size(terminal, columns, rows)
        before, after = termios.tcgetattr(terminal), None
        os.close(go)
        screen, pictures, end = Screen(columns, rows), [], time.time() + 120
        while time.time() < end:
            if select.select([terminal], [], [], 0.05)[0]:
                try: data = os.read(terminal, 65536)
                except OSError: break
                if not data: break
                screen.feed(data.decode(errors="replace"))
                after = termios.tcgetattr(terminal)
            elif steps and steps[0]["text"] in "\n".join(screen.lines):
                step = steps.pop(0)
                pictures.append(screen.picture())
                if step.get("keys"): os.write(terminal, step["keys"].replace("^C", "\x03").encode())
                if step.get("columns"):
                    screen.resize(step["columns"], step["rows"])
                    set_size(terminal, step["columns"], step["rows"])
        else:
            os.kill(pid, 9)
        try: after = termios.tcgetattr(terminal)
        except termios.error: pass
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        pictures.append(screen.picture())
        print(json.dumps({"pictures": pictures, "status": status, "isRestored": before == after, "unknown": screen.unknown}))
        """#
}
