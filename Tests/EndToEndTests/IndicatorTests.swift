import Foundation
import Glibc
import Peers
import Testing

@Suite(
    "The light of the board",
    .enabled(
        if: LightFolder.missing == nil && WebServer.python != nil, "\(LightFolder.missing ?? "not installed: python3")")
)
struct IndicatorTests {
    enum Light { case off, updates, always }

    /// The section `tracking`, and the light that the section requests.
    static let rows: [(tracking: String, light: Light)] = [
        ("{}", .off), ("{indicator: updates}", .updates), ("{indicator: always}", .always),
        ("{radar: {showBlueBar: true}}", .always), ("{radar: {showBlueBar: false}}", .off),
        ("{radar: {foregroundServiceEnabled: true}}", .always),
        // trackerd ignores the appearance of the notification.
        (
            """
            {radar: {foregroundService: {text: Tracking, title: Van, icon: 2131558400, iconString: van, \
            iconColor: red, activity: main, importance: 3, id: 20160525, channelName: Services}}}
            """, .always
        ),
        ("{radar: {foregroundService: {text: Tracking, updatesOnly: true}}}", .updates),
    ]

    @Test("The light is off, blinks at each record, or is on while trackerd is tracking.", arguments: rows)
    func light(tracking: String, light: Light) throws {
        let folder = try LightFolder()
        let gpsd = try ScriptedGpsd(standingAt: 52.52, 13.405)
        let board = "board: {gpsd: {host: 127.0.0.1, port: \(gpsd.port)}, indicator: {led: ACT}}"
        let vehicle = try Vehicle(tracking: tracking, more: [board])
        // In the namespace the program is root, so an installed package would make it switch to the service's user.
        let daemon = try Daemon(
            ["run", "--allow-root", "--config", vehicle.config],
            log: URL(fileURLWithPath: vehicle.scratch.path + "/log"),
            prefix: folder.prefix)
        #expect(eventually { daemon.logged.contains("Started; ") }, "\(daemon.logged)")
        #expect(eventually { folder.changes.last != true || light == .always })
        let blinks = folder.changes.count(where: \.self)
        #expect(try vehicle.run("locate").status == 0)
        switch light {
        case .off: #expect(folder.changes.isEmpty)
        case .always: #expect(eventually { folder.changes == [true] }, "\(folder.changes)")
        case .updates:
            #expect(eventually { folder.changes.count(where: \.self) > blinks && folder.changes.last == false })
        }
        #expect(try vehicle.run("tracking", "stop").status == 0)
        if light == .always { #expect(eventually { folder.changes == [true, false] }, "\(folder.changes)") }
        #expect(daemon.endInTime() == 0)
        #expect(folder.changes.last != true)
    }
}

/// A light `ACT` in a folder that takes the place of `/sys/class/leds`, for one program.
private final class LightFolder {
    /// The reason why this machine cannot replace the folder; nil if it can.
    static let missing: String? = {
        guard let unshare = Child.find("unshare") else { return "not installed: util-linux" }
        guard let child = try? Child(unshare, ["-rm", "mount", "-t", "tmpfs", "none", "/sys/class"]) else {
            return "unshare does not run"
        }
        child.wait()
        return child.status == 0 ? nil : "this machine allows no mount namespaces"
    }()

    private let scratch: Scratch
    private let reader: Child

    /// The light is off at first; `changes` shows what programs write to it.
    init() throws {
        scratch = try Scratch()
        let light = scratch.path + "/ACT"
        try FileManager.default.createDirectory(atPath: light, withIntermediateDirectories: true)
        try scratch.write("255\n", to: "ACT/max_brightness")
        try scratch.write("none\n", to: "ACT/trigger")
        // The reader also opens the pipe for writing, so it continues when a program closes the pipe.
        guard mkfifo(light + "/brightness", 0o600) == 0 else { throw PeerMissing(name: "a pipe") }
        reader = try Child("/bin/sh", ["-c", "exec cat <>'\(light)/brightness' >'\(scratch.path)/seen'"])
        guard eventually({ FileManager.default.fileExists(atPath: scratch.path + "/seen") }) else {
            throw PeerMissing(name: "the reader of the pipe")
        }
    }

    /// The command that runs another command with this folder as `/sys/class/leds`.
    var prefix: [String] {
        let steps = [
            "mount -t tmpfs none /sys/class", "mkdir /sys/class/leds", "mount --bind '\(scratch.path)' /sys/class/leds",
            "exec \"$@\"",
        ]
        return [Child.find("unshare") ?? "", "-rm", "/bin/sh", "-c", steps.joined(separator: " && "), "sh"]
    }

    /// The changes of the light: true for on.
    var changes: [Bool] {
        let text = (try? String(contentsOfFile: scratch.path + "/seen", encoding: .utf8)) ?? ""
        return text.matches(of: #/255|0/#).map { $0.output == "255" }
    }
}
