import Foundation
import Glibc
import Peers

/// The built program, run as an owner would run it.
final class Daemon {
    /// The program lies beside the tests.
    static let program =
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("trackerd").path

    /// The checkout.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let process = Process()
    private let log: URL

    /// Starts it, with these variables added to the environment; what it logs is added to the file.
    init(_ arguments: [String], log: URL, environment: [String: String] = [:]) throws {
        self.log = log
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        // libfaketime changes the environment of the first program that it is loaded into, behind which Swift looks for the
        // arguments: let that be env.
        process.executableURL = URL(fileURLWithPath: environment.isEmpty ? Self.program : "/usr/bin/env")
        process.arguments = environment.isEmpty ? arguments : [Self.program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = handle
        try process.run()
    }

    deinit { kill() }

    /// Cuts the power, as far as a program can feel that.
    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks it to end, and waits until it has.
    @discardableResult
    func end() -> Int32 {
        process.terminate()
        return wait()
    }

    /// Waits until it has ended by itself; its exit status.
    @discardableResult
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Whether it has not ended yet.
    var isRunning: Bool { process.isRunning }

    /// What has been logged so far.
    var logged: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Runs it to its end; what it printed, and its exit status.
    static func output(_ arguments: [String]) throws -> (text: String, errors: String, status: Int32) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            String(decoding: text, as: UTF8.self), String(decoding: complaints, as: UTF8.self),
            process.terminationStatus
        )
    }
}
