import Devices
import Foundation
import Hardware
import Testing

@Suite("Settings at rest")
struct SystemSettingsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String, _ text: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    private var memory: String { folder.path + "/at-rest" }

    @Test("Settings are written while parked and restored when the vehicle moves.")
    func settings() throws {
        let governor = try path("scaling_governor", "ondemand\n")
        let trigger = try path("trigger", "none mmc0 [heartbeat] timer\n")
        let settings = SystemSettings(
            [RestSetting(path: governor, value: "powersave"), RestSetting(path: trigger, value: "none")],
            memory: memory)
        settings.rest(true)
        #expect(text(governor).hasPrefix("powersave"))
        #expect(text(trigger).hasPrefix("none"))
        settings.rest(false)
        #expect(text(governor).hasPrefix("ondemand"))
        #expect(text(trigger).hasPrefix("heartbeat"))
        #expect(settings.fault == nil)
        #expect(!FileManager.default.fileExists(atPath: memory))
    }

    @Test("A setting that cannot be written is a fault, and the others apply.")
    func missing() throws {
        let governor = try path("scaling_governor", "ondemand\n")
        let settings = SystemSettings(
            [
                RestSetting(path: "/sys/absent/governor", value: "powersave"),
                RestSetting(path: governor, value: "powersave"),
            ], memory: memory)
        settings.rest(true)
        #expect(settings.fault?.description.contains("/sys/absent/governor") == true)
        #expect(text(governor).hasPrefix("powersave"))
    }

    @Test("The next run restores only files that the board names.")
    func foreign() throws {
        let precious = try path("precious", "as it was\n")
        let trigger = try path("trigger", "[heartbeat]\n")
        _ = try path("at-rest", "\(precious)\t|/tmp/evil\n\(trigger)\ttimer")
        let settings = SystemSettings([RestSetting(path: trigger, value: "none")], memory: memory)
        settings.rest(true)
        #expect(text(trigger).hasPrefix("none"))
        settings.rest(false)
        #expect(text(trigger).hasPrefix("timer"))
        #expect(text(precious) == "as it was\n")
    }

    @Test("Settings are not read or written through a symbolic link.")
    func links() throws {
        let precious = try path("precious", "as it was\n")
        let governor = folder.path + "/scaling_governor"
        try FileManager.default.createSymbolicLink(atPath: governor, withDestinationPath: precious)
        try FileManager.default.createSymbolicLink(atPath: memory, withDestinationPath: precious)
        let trigger = try path("trigger", "[heartbeat]\n")
        let wanted = [RestSetting(path: governor, value: "powersave"), RestSetting(path: trigger, value: "none")]
        let settings = SystemSettings(wanted, memory: memory)
        settings.rest(true)
        #expect(settings.fault?.description.contains(governor) == true)
        #expect(text(memory) == "\(trigger)\theartbeat")
        settings.rest(false)
        #expect(text(precious) == "as it was\n")
    }

    @Test(
        "After a run was killed while parked, the next run restores the settings, parked or moving.",
        arguments: [true, false])
    func killed(isStillParked: Bool) throws {
        let governor = try path("scaling_governor", "powersave\n")
        _ = try path("at-rest", "\(governor)\tondemand")
        let settings = SystemSettings([RestSetting(path: governor, value: "powersave")], memory: memory)
        if isStillParked { settings.rest(true) }
        #expect(text(governor).hasPrefix("powersave"))
        settings.rest(false)
        #expect(text(governor).hasPrefix("ondemand"))
    }
}
