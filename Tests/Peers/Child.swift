import Foundation
import Glibc
import Synchronization

/// Replaces Foundation's `Process`, whose timers may never fire under a faked clock.
package final class Child {
    private let pid: pid_t
    private var isOver = false

    package init(_ program: String, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Without this attribute, signals that the test's libraries block would stay blocked in the child.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let failure = posix_spawn(&pid, program, &actions, &attributes, &words, environ)
        guard failure == 0 else { throw POSIXError(.init(rawValue: failure) ?? .EIO) }
        self.pid = pid
    }

    deinit { kill() }

    package func kill() {
        guard !isOver else { return }
        Glibc.kill(pid, SIGKILL)
        wait()
    }

    package func wait() {
        guard !isOver else { return }
        isOver = true
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }

    /// Waits until the program listens on a port; returns false at once if the program ends first.
    package func listens(on port: UInt16, of host: String = "127.0.0.1") -> Bool {
        eventually { isListening(port, on: host) || hasEnded } && isListening(port, on: host)
    }

    private var hasEnded: Bool {
        if !isOver, waitpid(pid, &status, WNOHANG) == pid { isOver = true }
        return isOver
    }

    package func signal(_ number: Int32) { Glibc.kill(pid, number) }

    /// The status of waitpid(2): 0 for success, the signal that killed the child, or the exit code times 256.
    package private(set) var status: Int32 = 0

    /// Also searches the folders of daemons, which a user's PATH may not contain.
    package static func find(_ name: String) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/usr/local/sbin:/usr/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// A temporary directory; `deinit` removes it.
package final class Scratch {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "upload-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        FolderChanges.watch(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func write(_ text: String, to name: String) throws {
        // Foundation's atomic writing leaves folders behind in /tmp.
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name).new"))
        rename("\(path)/\(name).new", "\(path)/\(name)")
    }

    /// Returns the complete lines of a file that another process is writing.
    package func lines(of name: String) -> [Substring] {
        guard let text = try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) else { return [] }
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return text[..<end].split(separator: "\n")
    }
}

/// The port is below the system's ports for clients (ip(7), ip_local_port_range). Several test processes run at the same
/// time, so each takes its ports in turn from one of 44 groups of 500 ports.
package func freePort() -> UInt16 {
    while true {
        let number = portCount.wrappingAdd(1, ordering: .relaxed).newValue
        let port = UInt16(10_000 + Int(getpid()) % 44 * 500 + number % 500)
        if canBind(port) { return port }
    }
}

private let portCount = Atomic<Int>(0)

private func canBind(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

/// Tries to connect; `host` is an IPv4 address.
package func isListening(_ port: UInt16, on host: String = "127.0.0.1") -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    return connect(descriptor, to: port, on: host)
}

/// Connects a descriptor to a port of an IPv4 address; returns whether this succeeded.
package func connect(_ descriptor: Int32, to port: UInt16, on host: String = "127.0.0.1") -> Bool {
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

/// The file of a socket exists a moment before the program listens.
package func isListening(at path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    return connectLocally(descriptor, to: path)
}

func connectLocally(_ descriptor: Int32, to path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
}
