import Foundation
import Glibc
import Peers
import Testing
import Tracking

@Suite("A signal while the program starts")
struct EarlySignalTests {
    /// Starts the program, and sends a signal within 100 ms after the program opens its configuration.
    ///
    /// The code does not use Foundation's `Process`, because the children of `Process` start with these signals blocked.
    private func start(_ vehicle: Vehicle, thenSend signal: Int32) throws -> Child {
        let notify = inotify_init1(Int32(IN_CLOEXEC))
        defer { close(notify) }
        try #require(inotify_add_watch(notify, vehicle.config, UInt32(IN_OPEN)) >= 0)
        let words = [Daemon.program] + vehicle.arguments()
        let child = try Child("/bin/sh", ["-c", "exec \"$@\" 2> '\(vehicle.scratch.path)/log'", "sh"] + words)
        var polled = pollfd(fd: notify, events: Int16(POLLIN), revents: 0)
        #expect(poll(&polled, 1, 60_000) == 1)
        usleep(.random(in: 0...100_000))
        child.signal(signal)
        return child
    }

    @Test("SIGHUP at thirty moments of the start neither ends the program nor is lost.")
    func hangUp() throws {
        for _ in 0..<30 {
            let vehicle = try Vehicle()
            let child = try start(vehicle, thenSend: SIGHUP)
            let isTold = eventually {
                vehicle.logged.contains { $0.contains("is in force, with 0 targets. Changed tracking options: none.") }
            }
            child.signal(SIGTERM)
            child.wait()
            #expect(isTold && child.status == 0)
            guard isTold else { return }
        }
    }

    @Test("SIGTERM at thirty moments of the start ends the program with a normal exit.")
    func terminate() throws {
        for _ in 0..<30 {
            let vehicle = try Vehicle()
            let child = try start(vehicle, thenSend: SIGTERM)
            child.wait()
            #expect(child.status == 0, "\(vehicle.logged)")
            #expect(vehicle.logged.last?.hasSuffix("Ended.") == true)
            #expect(vehicle.stored.map(\.record.kind).filter { $0 == .power }.count == 2)
        }
    }
}
