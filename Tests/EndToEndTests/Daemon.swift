import Foundation
import Glibc
import Peers

/// The built program, which the tests start as a user would.
final class Daemon {
    /// The program is in the same folder as the tests.
    static let program =
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("trackerd").path

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let process = Process()
    private let log: URL

    /// Starts the program, which appends its log to the file, or writes its log to `errors`.
    ///
    /// `prefix` is a command that runs another command; `environment` adds variables to the environment of the tests.
    init(
        _ arguments: [String], log: URL, errors: FileHandle? = nil, environment: [String: String] = [:],
        prefix: [String] = []
    ) throws {
        self.log = log
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        // libfaketime changes the environment of the first program that loads it, and Swift searches for the arguments
        // next to that environment in memory. So the first program is `env`. If the package is installed, a daemon that
        // root starts would switch to the service's user, which cannot read the test's files.
        let rights = geteuid() == 0 && arguments.first == "run" ? ["--allow-root"] : []
        let command = prefix + (environment.isEmpty ? [] : ["/usr/bin/env"]) + [Self.program] + arguments + rights
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors ?? handle
        try process.run()
    }

    deinit { kill() }

    /// The program cannot react, as in a power cut.
    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends SIGTERM; returns the exit status.
    @discardableResult
    func end() -> Int32 {
        process.terminate()
        return wait()
    }

    func signal(_ number: Int32) { Glibc.kill(process.processIdentifier, number) }

    var isRunning: Bool { process.isRunning }

    /// Infinity if the program has ended.
    var processorTime_s: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        // proc(5): utime and stime are the 14th and 15th field. The second field, the name, ends with a bracket.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12 else { return .infinity }
        return ((Double(fields[11]) ?? .infinity) + (Double(fields[12]) ?? .infinity))
            / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Infinity if the program has ended.
    var peakMemory_MiB: Double { memory_MiB("VmHWM") ?? .infinity }

    /// The pages of the program and other mapped files that are in memory now; infinity if the program has ended.
    var filePages_MiB: Double { memory_MiB("RssFile") ?? .infinity }

    /// A value of proc_pid_status(5), in MiB.
    private func memory_MiB(_ name: String) -> Double? {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Double($0) }
            .map { $0 / 1024 }
    }

    @discardableResult
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    var logged: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    static func output(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (text: String, errors: String, status: Int32) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let errorText = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            String(decoding: text, as: UTF8.self), String(decoding: errorText, as: UTF8.self),
            process.terminationStatus
        )
    }
}
