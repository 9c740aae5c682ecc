import Foundation
import Glibc

/// A process that lives as long as the test wants it.
package final class Child {
    private let process = Process()

    package init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    package func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    package func wait() { process.waitUntilExit() }

    /// The program of this name in the usual places, if there is one.
    package static func find(_ name: String) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/usr/local/sbin:/usr/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// A directory that goes away with the test.
package final class Scratch {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "upload-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func write(_ text: String, to name: String) throws {
        // Foundation's own atomic writing leaves folders behind in /tmp.
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name).new"))
        rename("\(path)/\(name).new", "\(path)/\(name)")
    }

    /// The whole lines of a file that somebody else is writing.
    package func lines(of name: String) -> [Substring] {
        guard let text = try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) else { return [] }
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return text[..<end].split(separator: "\n")
    }
}

/// A port of the loopback interface that nobody listens to.
package func freePort() -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = bind(descriptor, $0, length)
            _ = getsockname(descriptor, $0, &length)
        }
    }
    return UInt16(bigEndian: address.sin_port)
}

/// Whether somebody listens to a port of this IPv4 address.
package func isListening(_ port: UInt16, on host: String = "127.0.0.1") -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

/// Waits for another process or thread; false when it does not come about in a minute.
package func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<3_000 {
        if condition() { return true }
        usleep(20_000)
    }
    return condition()
}
