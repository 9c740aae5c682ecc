import Devices
import Foundation
import Hardware
import Peers
import Quantities
import Testing
import Tracking

@Suite("Halting this computer")
struct SystemHalterTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String, _ text: String? = nil) throws -> String {
        let file = folder.appendingPathComponent(name)
        if let text { try Data(text.utf8).write(to: file) }
        return file.path
    }

    private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    @Test("The clock's alarm is set before the halting command runs.")
    func halt() throws {
        let alarm = try path("wakealarm", "")
        let done = try path("done")
        let halter = SystemHalter(command: ["sh", "-c", "cat '\(alarm)' > '\(done)'"], alarm: alarm)
        halter.halt(wakeAfter: .seconds(3600), at: .boot)
        #expect(halter.fault == nil)
        #expect(eventually { !text(done).isEmpty })
        // The kernel's file handles each write separately. In the plain file of this test, the last write overwrites the start of
        // the first write.
        #expect(text(done).hasPrefix("+3600"))
    }

    @Test("The halting command gets the signals that the daemon blocks or ignores.")
    func signals() throws {
        let status = try path("status")
        // The daemon ignores SIGPIPE too; ignoring it does not disturb the other threads of the tests.
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        let halter = SystemHalter(command: ["sh", "-c", "grep ^Sig /proc/self/status > '\(status)'"])
        halter.halt(wakeAfter: nil, at: .boot)
        #expect(eventually { text(status).contains("SigCgt") })
        let masks = text(status).split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        let blocked = masks.first { $0.first == "SigBlk:" }?.last.flatMap { UInt64($0, radix: 16) }
        let ignored = masks.first { $0.first == "SigIgn:" }?.last.flatMap { UInt64($0, radix: 16) }
        #expect(blocked == 0)
        #expect(ignored.map { $0 & 1 << UInt64(SIGPIPE - 1) } == 0)
    }

    @Test("A board whose alarm cannot be set is not halted.")
    func noClock() throws {
        let done = try path("done")
        let halter = SystemHalter(command: ["touch", done], alarm: folder.path + "/absent")
        halter.halt(wakeAfter: .seconds(3600), at: .boot)
        #expect(halter.fault?.description.contains("is not halted") == true)
        #expect(!FileManager.default.fileExists(atPath: done))
    }

    @Test("A halting command that cannot be run is a fault.")
    func noCommand() {
        let halter = SystemHalter(command: ["/absent/poweroff", "now"])
        halter.halt(wakeAfter: nil, at: .boot)
        #expect(halter.fault?.description.contains("/absent/poweroff now: the command cannot be run") == true)
    }

    @Test("A refused halting command is a fault that the engine records once, and the command can be tried again.")
    func refused() throws {
        let halter = SystemHalter(command: ["sh", "-c", "exit 1"])
        halter.halt(wakeAfter: nil, at: .boot)
        var now = Instant.boot
        var events: [Event] = []
        for _ in 0..<12_000 where halter.fault == nil {
            usleep(10_000)
            now = try #require(halter.wait.deadline)
            events += halter.advance(at: now)
        }
        let reason = "sh -c exit 1: the command was refused or failed; the board is not halted"
        #expect(events == [.haltRefused(reason: reason)])
        #expect(halter.fault as? HaltError == .refused(command: "sh -c exit 1"))
        #expect(halter.wait == Wait())
        halter.halt(wakeAfter: nil, at: now)
        #expect(halter.fault == nil && halter.wait.deadline != nil)
    }

    @Test("The daemon checks a running halting command once a second, so that the loop is not busy.")
    func interval() {
        let halter = SystemHalter(command: ["sleep", "5"])
        halter.halt(wakeAfter: nil, at: .boot)
        for second in 1...3 {
            let due = Instant.boot + .seconds(second)
            #expect(halter.wait == Wait(deadline: due))
            #expect(halter.advance(at: due).isEmpty)
        }
        #expect(halter.wait == Wait(deadline: .boot + .seconds(4)))
    }
}
