import Foundation

/// A terminal in which a program runs while a script answers the program's questions.
package enum ScriptedTerminal {
    package static let python = Child.find("python3")

    /// Runs the command, and answers each question with the next text; `^C` and `^D` stand for Ctrl-C and Ctrl-D.
    ///
    /// Returns what the terminal shows, and the exit status; a negative status is a signal.
    package static func run(_ command: [String], answers: [String]) throws -> (text: String, status: Int) {
        guard let python else { throw PeerMissing(name: "python3") }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: python)
        let list = String(decoding: try JSONEncoder().encode(answers), as: UTF8.self)
        process.arguments = ["-c", script, list] + command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let result = try JSONDecoder().decode(Result.self, from: output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return (result.text, result.status)
    }

    private struct Result: Decodable {
        let text: String
        let status: Int
    }

    /// The script treats text that ends with `: ` or `] ` as a question.
    private static let script = #"""
        import json, os, pty, select, sys, time
        answers, command = json.loads(sys.argv[1]), sys.argv[2:]
        pid, terminal = pty.fork()
        if pid == 0: os.execv(command[0], command)
        keys = {"^C": b"\x03", "^D": b"\x04"}
        shown, answered, end = b"", 0, time.time() + 120
        while time.time() < end:
            if select.select([terminal], [], [], 0.05)[0]:
                try: data = os.read(terminal, 4096)
                except OSError: break
                if not data: break
                shown += data
            elif answers and shown[answered:].endswith((b": ", b"] ")):
                answered = len(shown)
                answer = answers.pop(0)
                os.write(terminal, keys.get(answer) or answer.encode() + b"\n")
        else:
            os.kill(pid, 9)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        print(json.dumps({"text": shown.decode().replace("\r\n", "\n"), "status": status}))
        """#
}
