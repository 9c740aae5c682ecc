import Foundation
import Glibc
import Peers
import Testing

@Suite("Reports to systemd")
struct WatchdogTests {
    private let scratch: Scratch
    private let socket: NotifySocket

    init() throws {
        scratch = try Scratch()
        // The path of a socket is at most 107 bytes long.
        socket = try NotifySocket(path: "/tmp/trackerd-notify-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(atPath: scratch.path + "/disk", withIntermediateDirectories: true)
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/disk/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: nobody, url: "http://127.0.0.1:\(freePort())", format: geojson}]
            """, to: "config.yaml")
    }

    /// Starts the tracker as systemd does, with a watchdog of 0.4 s or without one.
    private func start(watchdog: Bool = true, environment: [String: String] = [:]) throws -> Daemon {
        var variables = environment.merging(["NOTIFY_SOCKET": socket.path]) { $1 }
        if watchdog { variables["WATCHDOG_USEC"] = "400000" }
        return try Daemon(
            ["run", "--gpsd", "127.0.0.1:\(freePort())", "--config", scratch.path + "/config.yaml"],
            log: URL(fileURLWithPath: scratch.path + "/log"), environment: variables)
    }

    @Test("trackerd reports its start, its state and its end to systemd, and reports twice in each watchdog period.")
    func reports() throws {
        let daemon = try start()
        #expect(eventually { socket.received().contains("READY=1") })
        #expect(eventually { socket.count("WATCHDOG=1") >= 4 })
        #expect(socket.received().contains("STATUS=Parked."))
        #expect(!socket.received().contains("STOPPING=1"))
        #expect(daemon.end() == 0)
        #expect(socket.received().last == "STOPPING=1")
    }

    @Test("Without a watchdog the tracker sends no watchdog reports.")
    func noWatchdog() throws {
        let daemon = try start(watchdog: false)
        #expect(eventually { socket.received().contains("STATUS=Parked.") })
        #expect(daemon.end() == 0)
        #expect(socket.count("WATCHDOG=1") == 0)
    }

    @Test(
        "A loop that waits for a card that does not answer sends no watchdog reports.",
        .enabled(if: FaultyDisk.isAvailable, "not installed: cc"))
    func stalled() throws {
        let fault = try FaultyDisk(on: scratch.path + "/disk")
        let daemon = try start(environment: fault.environment)
        #expect(eventually { socket.count("WATCHDOG=1") >= 2 })
        try fault.hang()
        // This request writes a record, so the loop waits for the disk. The test does not wait for the client.
        let client = try Child(
            Daemon.program, ["odometer", "set", "5", "--config", scratch.path + "/config.yaml"])
        defer { client.kill() }
        // The reports stop; a running loop would send seven reports in a second and a half.
        var before = -1
        #expect(
            eventually {
                before = socket.count("WATCHDOG=1")
                usleep(1_500_000)
                return socket.count("WATCHDOG=1") == before
            })
        try fault.end()
        #expect(eventually { socket.count("WATCHDOG=1") >= before + 3 })
        #expect(daemon.end() == 0)
    }
}

private final class NotifySocket {
    let path: String
    private let descriptor: Int32
    private var messages: [String] = []

    init(path: String) throws {
        self.path = path
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    func received() -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return messages }
            messages.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
    }

    func count(_ message: String) -> Int { received().filter { $0 == message }.count }
}
