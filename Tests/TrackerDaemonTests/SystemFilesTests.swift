import Foundation
import Hardware
import Testing
import Configuration

@Suite("Files for udev and systemd")
struct SystemFilesTests {
    private static let root = BoardFileTests.folder + "/.."
    private static let rules = root + "/udev/99-trackerd.rules"

    /// Matches the keys of a rule with their allowed operators (udev(7)); a key with braces needs a name.
    private static var rule: Regex<Substring> {
        #/(?:ACTION|SUBSYSTEM|KERNELS?|DRIVERS|SYMLINK|TAG|OPTIONS|RUN|LABEL|GOTO|(?:ENV|ATTRS)\{\w+\})(?:==|!=|\+=|=)"[^"]*"/#
    }

    @Test("The udev rules contain only keys that udev supports.")
    func keys() throws {
        for line in try Self.lines(Self.rules) {
            for part in line.split(separator: /,\s+/) {
                #expect(part.wholeMatch(of: Self.rule) != nil, "\(part)")
            }
        }
    }

    @Test("The udev rules jump only to labels that exist.")
    func labels() throws {
        let text = try Self.lines(Self.rules).joined(separator: "\n")
        let jumps = text.matches(of: /GOTO="(\w+)"/).map(\.1)
        #expect(!jumps.isEmpty)
        for jump in jumps { #expect(text.contains("LABEL=\"\(jump)\"")) }
    }

    @Test("The udev rules give access to the devices that boards use, and to no others.")
    func subsystems() throws {
        let text = try Self.lines(Self.rules).filter { !$0.contains("bluetooth") }.joined(separator: "\n")
        let named = Set(text.matches(of: /SUBSYSTEM=="([^"]+)"/).map { String($0.1) })
        #expect(named == ["i2c-dev", "gpio", "tty", "leds"])
        #expect(!text.contains("MODE="))
    }

    @Test("The udev rules give access to the daemon's user, and to no group.")
    func user() throws {
        let text = try Self.lines(Self.rules).joined(separator: "\n")
        #expect(text.contains("setfacl -m u:trackerd:rw"))
        #expect(!text.contains("g:") && !text.contains("chgrp"))
    }

    @Test("The daemon has only the capability to scan, and another unit switches the adapter on.")
    func adapter() throws {
        let dropIn = try Self.lines(Self.root + "/systemd/bluetooth.conf")
        #expect(dropIn.filter { $0.contains("CAP_") }.allSatisfy { $0.hasSuffix("=CAP_NET_RAW") })
        #expect(dropIn.contains("Wants=trackerd-bluetooth@hci0.service"))
        let unit = try Self.lines(Self.root + "/systemd/trackerd-bluetooth@.service")
        #expect(unit.contains("ConditionPathExists=/etc/systemd/system/trackerd.service.d/bluetooth.conf"))
        #expect(unit.filter { $0.contains("CAP_") }.allSatisfy { $0.hasSuffix("=CAP_NET_ADMIN") })
        let rules = try Self.lines(Self.rules).filter { $0.contains(#"SUBSYSTEM=="bluetooth""#) }
        #expect(rules.count == 1 && rules[0].contains(#"ENV{SYSTEMD_WANTS}+="trackerd-bluetooth@%k.service""#))
    }

    @Test("Only the daemon's user can write to the socket on which gpsd accepts commands.")
    func socketOfGpsd() throws {
        let lines = try Self.lines(Self.root + "/systemd/gpsd.socket.d/trackerd.conf")
        #expect(lines == ["[Socket]", "SocketMode=0600", "SocketUser=trackerd"])
    }

    @Test("The udev rules name each I²C bus that a board names.", arguments: ["pi3", "pi4", "pi5", "zero2w", "cm4"])
    func buses(name: String) throws {
        let board = try BoardFile.read(named: name, in: [BoardFileTests.folder])
        let bus = try #require(board.accelerometer?.bus)
        let rule = try #require(try Self.lines(Self.rules).first { $0.contains("i2c-dev") })
        let names = try #require(rule.firstMatch(of: /KERNEL=="([^"]+)"/)?.1).split(separator: "|")
        #expect(names.map { "/dev/\($0)" }.contains(bus))
    }

    @Test("The udev rules pass a receiver to gpsd only under the name that boards use, whatever earlier rules set.")
    func nameForGpsd() throws {
        let options = try Self.lines(Self.rules).filter { $0.contains("SYSTEMD_WANTS") && !$0.contains("bluetooth") }
        #expect(options.count == 1)
        #expect(options.first?.contains(#"SYMLINK+="gps0""#) == true)
        #expect(options.first?.contains(#"ENV{SYSTEMD_WANTS}="gpsdctl@gps0.service""#) == true)
    }

    @Test(
        "The udev rules name the most likely of several receivers /dev/gps0.",
        arguments: [
            (#"ATTRS{idVendor}=="1546""#, "20"), (#"SYMLINK=="serial0""#, "10"),
            (#"KERNELS=="1f00030000.serial""#, "10"), (#"SYMLINK=="gps[0-9]*""#, nil),
        ] as [(String, String?)])
    func priority(match: String, priority: String?) throws {
        let rule = try #require(try Self.lines(Self.rules).first { $0.contains(match) })
        #expect(rule.contains(#"ENV{TRACKERD_RECEIVER}="1""#))
        let found = rule.firstMatch(of: /link_priority=(\d+)/).map { String($0.1) }
        #expect(found == priority)
    }

    @Test(
        "The udev rules pass `udevadm verify`.",
        .enabled(if: runs("udevadm", "verify", "--help"), "udevadm verify came with systemd 254"))
    func verify() {
        #expect(Self.runs("udevadm", "verify", "--no-summary", Self.rules))
    }

    @Test(
        "systemd-sysusers accepts the user and the group.",
        .enabled(if: runs("systemd-sysusers", "--version"), "there is no systemd-sysusers here"))
    func sysusers() {
        #expect(Self.runs("systemd-sysusers", "--dry-run", Self.root + "/systemd/trackerd.sysusers"))
    }

    @Test(
        "systemd accepts the service, with a watchdog and a restart after every end.",
        .enabled(
            if: runs("systemd-analyze", "--version") && (geteuid() == 0 || access("/run/systemd", F_OK) == 0),
            "there is no systemd-analyze here, or no /run/systemd, which it needs"))
    func service() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("unit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The program is not installed here, so the test replaces its path.
        let text = try String(contentsOfFile: Self.root + "/systemd/trackerd.service", encoding: .utf8)
            .replacingOccurrences(of: "/usr/bin/trackerd", with: "/bin/true")
        let unit = folder.appendingPathComponent("trackerd.service")
        try Data(text.utf8).write(to: unit)
        #expect(Self.runs("systemd-analyze", "verify", unit.path))
        let lines = text.split(separator: "\n")
        for line in ["Type=notify", "Restart=always", "WatchdogSec=5min", "StartLimitIntervalSec=0", "User=trackerd"] {
            #expect(lines.contains { $0 == line })
        }
    }

    @Test("tmpfiles.d creates the daemon's two folders, and changes only files of /sys, only for the user.")
    func tmpfiles() throws {
        let folders = ["/run/trackerd 0755 trackerd trackerd", "/var/lib/trackerd 0750 trackerd trackerd-read"]
        for line in try Self.lines(Self.root + "/systemd/trackerd.tmpfiles") {
            let fields = line.split(separator: " ")
            #expect(fields.count == 7)
            if fields[0] == "d" {
                #expect(folders.contains(fields[1...4].joined(separator: " ")))
                continue
            }
            #expect(fields[0] == "z" && fields[1].hasPrefix("/sys/"))
            #expect(fields[2...4] == ["0644", "trackerd", "root"])
        }
    }

    @Test("modules-load.d loads only the module that creates /dev/i2c-*.")
    func modules() throws {
        #expect(try Self.lines(Self.root + "/systemd/trackerd.modules-load") == ["i2c-dev"])
    }

    @Test("The polkit rule permits the daemon's user only to halt the computer.")
    func polkit() throws {
        let text = try Self.lines(Self.root + "/systemd/trackerd.polkit-rules").joined(separator: "\n")
        let actions = text.matches(of: /"org\.freedesktop\.([^"]+)"/).map { String($0.1) }
        #expect(actions == ["login1.power-off", "login1.power-off-multiple-sessions"])
        #expect(text.contains(#"if (subject.user == "trackerd" && halts.indexOf(action.id) >= 0) {"#))
        let answers = text.matches(of: /polkit\.Result\.(\w+)/).map { String($0.1) }
        #expect(answers == ["YES"])
    }

    /// Returns the lines of a file that are neither empty nor comments.
    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
    }

    /// Returns whether a program is installed and ends without an error.
    private static func runs(_ command: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
