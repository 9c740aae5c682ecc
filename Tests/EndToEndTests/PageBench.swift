import Foundation
import Glibc
import Peers

/// The built page in front of a daemon's sockets, and browsers that the test controls.
final class PageBench {
    let port: UInt16
    private let process = Process()
    private let output = Pipe()

    static var program: String {
        URL(fileURLWithPath: Daemon.program).deletingLastPathComponent().appendingPathComponent("trackerd-page").path
    }

    /// Starts the page for the daemon whose sockets are in a folder.
    init(_ folder: String, _ arguments: [String] = []) throws {
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments =
            [
                "--listen", "127.0.0.1:0", "--socket", folder + "/read.sock", "--control-socket",
                folder + "/control.sock",
            ] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let digits = line.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
        port = UInt16(digits) ?? 0
    }

    deinit { end() }

    func end() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func signal(_ number: Int32) { Glibc.kill(process.processIdentifier, number) }

    var isRunning: Bool { process.isRunning }

    /// The number of connections that the kernel has made and the page has not accepted yet.
    var unacceptedConnections: Int? {
        let text = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        let sockets = text.split(separator: "\n").map { $0.split(separator: " ") }
        // The fields after the number are both addresses, the state (0A: listening), and the lengths of both queues.
        let own = sockets.first { $0[1].hasSuffix(String(format: ":%04X", port)) && $0[3] == "0A" }
        return own.flatMap { Int($0[4].suffix(8), radix: 16) }
    }

    static func output(_ arguments: [String], input: String = "") throws -> (errors: String, status: Int32) {
        let process = Process()
        let (errors, entry) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        (process.standardInput, process.standardOutput, process.standardError) = (entry, FileHandle.nullDevice, errors)
        try process.run()
        try entry.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try entry.fileHandleForWriting.close()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    /// Connects a browser from a loopback address, by default 127.0.0.1.
    func connect(from source: UInt32 = 0x7f00_0001) throws -> RawBrowser { try RawBrowser(port, from: source) }

    func get(_ path: String, _ headers: [String] = [], host: String = "localhost") throws -> String {
        try connect().ask("GET \(path) HTTP/1.1", ["Host: \(host)"] + headers)
    }

    /// Sends a POST request with a body in JSON, by default with the page's own origin, and returns the answer.
    func post(
        _ path: String, _ body: String, _ headers: [String] = ["Origin: http://localhost"]
    ) throws -> String {
        let own = ["Host: localhost", "Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
        return try connect().ask("POST \(path) HTTP/1.1", own + headers, body)
    }
}

final class RawBrowser {
    private let descriptor: Int32

    init(_ port: UInt16, from source: UInt32) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard use(bind, source, 0) == 0, use(Glibc.connect, 0x7f00_0001, port) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }

    private func use(
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ host: UInt32, _ port: UInt16
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    @discardableResult
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    func ask(_ line: String, _ headers: [String], _ body: String = "") throws -> String {
        send(([line] + headers + ["Connection: close", "", ""]).joined(separator: "\r\n") + body)
        return read(until: { _ in false }, seconds: 15)
    }

    /// Reads until `isEnough` accepts the text, the page closes the connection, or the time is over.
    func read(until isEnough: (String) -> Bool, seconds: Double) -> String {
        var bytes: [UInt8] = []
        let end = Date().addingTimeInterval(seconds)
        while Date() < end, !isEnough(String(decoding: bytes, as: UTF8.self)) {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 100) > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func isClosed(within seconds: Double) -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 100) > 0 else { continue }
            var byte = [UInt8](repeating: 0, count: 65_536)
            if Glibc.read(descriptor, &byte, byte.count) <= 0 { return true }
        }
        return false
    }
}
