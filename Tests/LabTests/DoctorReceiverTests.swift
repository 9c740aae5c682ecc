import Foundation
import Peers
import Testing

extension InTheLab {
    @Suite("The doctor on gpsd and receiver", .enabled(if: LabGPS.missing.isEmpty, "not installed: \(LabGPS.missing)"))
    struct DoctorReceiverTests {
        private static let drive = Lab.root.appendingPathComponent("Tests/DevicesTests/Fixtures/drive.nmea")

        private let bench: DoctorBench

        init() throws { bench = try DoctorBench() }

        @Test("The doctor reports that gpsd does not run, and its exit status means that tracking is impossible.")
        func noGpsd() throws {
            let port = freePort()
            bench.parts["gpsd"] = "{host: 127.0.0.1, port: \(port)}"
            try expectFault(
                "gpsd at 127.0.0.1:\(port) does not answer (can't connect to host/port pair).",
                remedy:
                    "Install gpsd and run `sudo systemctl enable --now gpsd.socket`, or set the address of gpsd in the board's `gpsd` or with `--gpsd`."
            )
        }

        @Test("The doctor reports that gpsd has no device.")
        func noDevice() throws {
            let port = freePort()
            let scratch = try Scratch()
            let program = try #require(Child.find("gpsd"))
            let gpsd = try Child(program, ["-N", "-n", "-S", "\(port)", "-F", scratch.path + "/gpsd.sock"])
            try #require(eventually { isListening(port) })
            bench.parts["gpsd"] = "{host: 127.0.0.1, port: \(port)}"
            try expectFault(
                "gpsd is running but has no device.",
                remedy:
                    "Add the receiver under DEVICES in /etc/default/gpsd and run `sudo systemctl restart gpsd`, or install udev/99-trackerd.rules, which adds /dev/gps0, and reboot."
            )
            gpsd.kill()
        }

        @Test("The doctor names the device that gpsd has instead of the configured one.")
        func otherDevice() throws {
            let gps = try LabGPS(repeating: Self.drive)
            bench.parts["gpsd"] = "{host: 127.0.0.1, port: \(gps.port), device: /dev/gps0}"
            try expectFault(
                "gpsd does not use /dev/gps0; it uses \(gps.device).",
                remedy: "Write `board: {base: pi4, gpsd: {device: \(gps.device)}}`.")
        }

        @Test("The doctor reports a silent receiver.")
        func silent() throws {
            try LabLines.pull(27, up: false)
            let gps = try LabGPS(repeating: Self.drive, power: 27)
            bench.parts["gpsd"] = "{host: 127.0.0.1, port: \(gps.port), device: \(gps.device)}"
            try expectFault(
                "\(gps.device) has sent nothing for 8 s.",
                remedy:
                    "Check the receiver's supply and power line, and the wire from the receiver's TX to the board's RX; `gpsmon` shows the data that gpsd receives."
            )
        }

        @Test("Tracking is possible if all parts work, and also if an optional part does not work.")
        func wholeVan() throws {
            let gps = try LabGPS(repeating: Self.drive, interval: .milliseconds(200))
            let bus = try LabBus([0x18: try DoctorBench.chip("LIS3DH")])
            let controller = try BeaconController()
            defer { controller.unplug() }
            try #require(eventually { BeaconAdapter.isOn(true) || errno == EALREADY })
            bench.wireAccelerometer()
            bench.parts["gpsd"] = "{host: 127.0.0.1, port: \(gps.port), device: \(gps.device)}"
            bench.parts["bluetooth"] = "0"
            bench.parts["ignition"] = "{chip: pinctrl-lab, line: GPIO22}"
            let report = try bench.ask()
            for check in ["accelerometer", "lines", "receiver", "bluetooth", "database"] {
                #expect(report.about(check).map(\.grade) == ["ok"], "\(report.findings)")
            }
            #expect(try #require(report.about("receiver").first).text.hasPrefix("\(gps.device) has a fix"))
            #expect(report.status == 0)
            #expect(report.canTrack == true)
            try bus.isUnplugged(true)
            let without = try bench.ask()
            #expect(without.about("accelerometer").map(\.grade) == ["fault"])
            #expect(without.status == 0)
        }

        @Test("The doctor names the devices that an unprivileged user may not open.")
        func noPermission() throws {
            let setpriv = try #require(Child.find("setpriv"))
            let controller = try BeaconController()
            defer { controller.unplug() }
            bench.wireAccelerometer()
            bench.parts["bluetooth"] = "0"
            bench.parts["ignition"] = "{chip: pinctrl-lab, line: GPIO22}"
            let report = try bench.ask(by: [setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups"])
            let rules = """
                Install udev/99-trackerd.rules, add a rule for this device if the file does not cover it, and reboot. Then run the \
                doctor as the daemon's user: `sudo -u trackerd trackerd doctor`.
                """
            let findings = ["user", "accelerometer", "lines", "bluetooth"].flatMap { report.about($0) }
            #expect(
                findings == [
                    .init(
                        check: "user", grade: "warning",
                        text: "nobody is not in the group trackerd, so this user's commands cannot control the daemon.",
                        remedy: "Run `sudo adduser nobody trackerd` and log in again."),
                    .init(
                        check: "accelerometer", grade: "fault", text: "/dev/i2c-1 is not accessible to nobody.",
                        remedy: rules),
                    .init(
                        check: "lines", grade: "fault",
                        text: "`ignition`, pinctrl-lab GPIO22, is not accessible to nobody.", remedy: rules),
                    .init(
                        check: "bluetooth", grade: "fault",
                        text: "the doctor cannot use hci0 without CAP_NET_RAW.",
                        remedy:
                            "The drop-in `bluetooth.conf` grants this permission to the daemon (docs/install.md). For this check, run `sudo trackerd doctor`."
                    ),
                ])
            #expect(report.status == 1)
        }

        private func expectFault(
            _ text: String, remedy: String, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let report = try bench.ask()
            let fault = DoctorBench.Finding(check: "receiver", grade: "fault", text: text, remedy: remedy)
            #expect(report.about("receiver") == [fault], sourceLocation: sourceLocation)
            #expect(report.status == 1, sourceLocation: sourceLocation)
            #expect(report.canTrack == false, sourceLocation: sourceLocation)
        }
    }
}
