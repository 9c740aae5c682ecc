// Swift 6.2 of Debian finds `sockaddr_un` only in this module.
import CLinux
import Foundation
import Glibc
import Quantities
import Testing

@testable import TrackerDaemon

@Suite("The watchdog of systemd")
struct ServiceManagerTests {
    private final class UploadThread {
        var asked = 0
        var answered = 0

        var handle: UploadHandle {
            UploadHandle(ask: { self.asked += 1 }, hasAnswered: { self.answered >= self.asked })
        }
    }

    /// Returns the number of reports in ten steps of one minute; the watchdog's time is two minutes.
    private func reports(_ manager: inout ServiceManager, from minute: Int, _ uploads: UploadThread, _ socket: Socket)
        -> Int
    {
        let before = socket.count
        for step in 0..<10 {
            manager.turn(at: Instant(seconds: Double(minute + step) * 60), uploads.handle)
        }
        return socket.count - before
    }

    @Test("The reports stop if an upload thread has not answered for ten minutes, until it answers again.")
    func hangingUploads() throws {
        let (socket, uploads) = (try Socket(), UploadThread())
        var manager = ServiceManager(address: socket.path, watchdog_us: "120000000", process: "\(getpid())")
        manager.ready(at: Instant(seconds: 0))
        #expect(socket.count == 1)
        // From here on, the upload thread does not answer. Its limit of ten minutes begins with the first report.
        #expect(reports(&manager, from: 0, uploads, socket) == 10)
        #expect(reports(&manager, from: 10, uploads, socket) == 0)
        uploads.answered = uploads.asked
        #expect(reports(&manager, from: 20, uploads, socket) == 10)
    }

    @Test(
        "A watchdog for another process, or with an impossible time, causes no reports and no wake-ups.",
        arguments: [("1", "1000000"), ("", "nonsense"), ("", "0"), ("", "-5"), ("", "9223372036854775807")])
    func foreign(process: String, watchdog_us: String) throws {
        let socket = try Socket()
        var manager = ServiceManager(
            address: socket.path, watchdog_us: watchdog_us, process: process.isEmpty ? nil : process)
        manager.ready(at: Instant(seconds: 0))
        #expect(manager.deadline == nil)
        #expect(reports(&manager, from: 0, UploadThread(), socket) == 0)
    }

    @Test("A program that systemd has not started reports nothing and has no timer.")
    func alone() {
        var manager = ServiceManager(address: nil, watchdog_us: "1000000", process: nil)
        manager.ready(at: Instant(seconds: 0))
        #expect(manager.deadline == nil)
    }

    @Test("Each change of the state is reported in one line.")
    func status() throws {
        let socket = try Socket()
        var manager = ServiceManager(address: socket.path, watchdog_us: nil, process: nil)
        for text in ["Parked.", "Parked.", "Moving.\nSTOPPING=1"] { manager.report(status: text) }
        #expect(socket.count == 2)
        #expect(socket.last == "STATUS=Moving. STOPPING=1")
    }
}

/// The socket is in the abstract namespace.
private final class Socket {
    let path = "@trackerd-test-\(UUID().uuidString)"
    private let descriptor: Int32
    private var messages: [String] = []

    init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: [0] + path.utf8.dropFirst()) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(status == 0)
    }

    deinit { close(descriptor) }

    private func receive() {
        var bytes = [UInt8](repeating: 0, count: 1024)
        while true {
            let size = recv(descriptor, &bytes, bytes.count, 0)
            guard size > 0 else { return }
            messages.append(String(decoding: bytes.prefix(size), as: UTF8.self))
        }
    }

    var count: Int {
        receive()
        return messages.count
    }

    var last: String? {
        receive()
        return messages.last
    }
}
