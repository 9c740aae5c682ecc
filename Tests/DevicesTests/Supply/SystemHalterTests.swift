import Devices
import Foundation
import Hardware
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
        halter.halt(wakeAfter: .seconds(3600))
        #expect(halter.complaint == nil)
        for _ in 0..<200 where text(done).isEmpty { usleep(10_000) }
        // The kernel's file takes each word by itself; a plain one keeps what was written last over the first.
        #expect(text(done).hasPrefix("+3600"))
    }

    @Test("does not halt a board whose clock cannot be told to wake it")
    func noClock() throws {
        let done = try path("done")
        let halter = SystemHalter(command: ["touch", done], alarm: folder.path + "/absent")
        halter.halt(wakeAfter: .seconds(3600))
        #expect(halter.complaint?.contains("is not halted") == true)
        #expect(!FileManager.default.fileExists(atPath: done))
    }

    @Test("says when the command cannot be run")
    func noCommand() {
        let halter = SystemHalter(command: ["/absent/poweroff", "now"])
        halter.halt(wakeAfter: nil)
        #expect(halter.complaint?.contains("/absent/poweroff now: cannot be run") == true)
    }

    @Test("settings at rest are written while parked, and put back when the vehicle moves")
    func settings() throws {
        let governor = try path("scaling_governor", "ondemand\n")
        let trigger = try path("trigger", "none mmc0 [heartbeat] timer\n")
        let settings = SystemSettings([
            RestSetting(path: governor, value: "powersave"), RestSetting(path: trigger, value: "none"),
        ])
        settings.rest(true)
        #expect(text(governor).hasPrefix("powersave"))
        #expect(text(trigger).hasPrefix("none"))
        settings.rest(false)
        #expect(text(governor).hasPrefix("ondemand"))
        #expect(text(trigger).hasPrefix("heartbeat"))
        #expect(settings.complaint == nil)
    }

    @Test("a setting that cannot be written is complained of")
    func missing() {
        let settings = SystemSettings([RestSetting(path: "/sys/absent/governor", value: "powersave")])
        settings.rest(true)
        #expect(settings.complaint?.contains("/sys/absent/governor") == true)
    }
}
