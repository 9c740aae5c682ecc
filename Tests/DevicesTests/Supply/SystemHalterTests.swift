import Devices
import Foundation
import Hardware
import Quantities
import Testing

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

    @Test("runs the command, after the clock was told when to wake it")
    func halt() throws {
        let alarm = try path("wakealarm", "")
        let done = try path("done")
        let halter = SystemHalter(command: ["sh", "-c", "cat '\(alarm)' > '\(done)'"], alarm: alarm)
        halter.halt(wakeAfter: .seconds(3600), at: .boot)
        #expect(halter.complaint == nil)
        for _ in 0..<200 where text(done).isEmpty { usleep(10_000) }
        // The kernel's file takes each word by itself; a plain one keeps what was written last over the first.
        #expect(text(done).hasPrefix("+3600"))
    }

    @Test("The command gets the signals that the daemon blocks or ignores.")
    func signals() throws {
        let status = try path("status")
        // As the daemon does; all other threads of the tests go on with what they had.
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        let halter = SystemHalter(command: ["sh", "-c", "grep ^Sig /proc/self/status > '\(status)'"])
        halter.halt(wakeAfter: nil, at: .boot)
        for _ in 0..<200 where !text(status).contains("SigCgt") { usleep(10_000) }
        let masks = text(status).split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        let blocked = masks.first { $0.first == "SigBlk:" }?.last.flatMap { UInt64($0, radix: 16) }
        let ignored = masks.first { $0.first == "SigIgn:" }?.last.flatMap { UInt64($0, radix: 16) }
        #expect(blocked == 0)
        #expect(ignored.map { $0 & 1 << UInt64(SIGPIPE - 1) } == 0)
    }

    @Test("does not halt a board whose clock cannot be told to wake it")
    func noClock() throws {
        let done = try path("done")
        let halter = SystemHalter(command: ["touch", done], alarm: folder.path + "/absent")
        halter.halt(wakeAfter: .seconds(3600), at: .boot)
        #expect(halter.complaint?.contains("is not halted") == true)
        #expect(!FileManager.default.fileExists(atPath: done))
    }

    @Test("says when the command cannot be run")
    func noCommand() {
        let halter = SystemHalter(command: ["/absent/poweroff", "now"])
        halter.halt(wakeAfter: nil, at: .boot)
        #expect(halter.complaint?.contains("/absent/poweroff now: cannot be run") == true)
    }

    @Test("says when the command is refused, and can be tried again")
    func refused() throws {
        let halter = SystemHalter(command: ["sh", "-c", "exit 1"])
        halter.halt(wakeAfter: nil, at: .boot)
        var now = Instant.boot
        for _ in 0..<200 where halter.complaint == nil {
            usleep(10_000)
            now = try #require(halter.wait.deadline)
            #expect(halter.advance(at: now).isEmpty)
        }
        #expect(halter.complaint?.hasPrefix("sh -c exit 1: is refused, or fails; the board is not halted.") == true)
        #expect(halter.wait == Wait())
        halter.halt(wakeAfter: nil, at: now)
        #expect(halter.complaint == nil && halter.wait.deadline != nil)
    }
}
