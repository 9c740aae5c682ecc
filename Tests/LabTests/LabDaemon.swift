import Foundation
import Glibc

/// The program, run as systemd would run it, with its log in a file.
final class LabDaemon {
    private let process = Process()
    private let log: String

    /// Starts it.
    init(_ arguments: [String], log: String) throws {
        self.log = log
        try Data().write(to: URL(fileURLWithPath: log))
        process.executableURL = URL(fileURLWithPath: Lab.program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What it has logged so far.
    var logged: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// How often its threads have slept and been woken since they began.
    func wakeUps() throws -> Int {
        let tasks = "/proc/\(process.processIdentifier)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
            let lines = try Lab.read("\(tasks)/\(task)/status").split(separator: "\n")
            let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }

    /// Asks it to end, and waits until it has; its exit status.
    func end() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
