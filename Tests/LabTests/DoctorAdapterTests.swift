import Glibc
import Peers
import Testing

extension InTheLab {
    @Suite("The doctor on the Bluetooth adapter")
    struct DoctorAdapterTests {
        private let bench: DoctorBench

        init() throws {
            bench = try DoctorBench()
            bench.parts["bluetooth"] = "0"
        }

        @Test("The doctor reports a missing adapter.")
        func absent() throws {
            try #require(eventually { !LabBeacons.isPluggedIn })
            try expect(
                "fault", "hci0 does not exist; this computer has no Bluetooth adapter.",
                remedy:
                    "Remove `dtoverlay=disable-bt` from config.txt, plug an adapter in, or write `\(bench.section(["bluetooth": "none"]))`."
            )
        }

        @Test("The doctor reports whether an adapter is down, blocked or ready, and does not change the adapter.")
        func switches() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            try #require(eventually { BeaconAdapter.isOn(true) || errno == EALREADY })
            try expect("ok", "hci0 can scan for beacons.", remedy: nil)
            try #require(BeaconAdapter.isOn(false))
            for _ in 0..<2 {
                try expect(
                    "warning", "hci0 is down.",
                    remedy:
                        "Run `sudo systemctl start trackerd-bluetooth@hci0`; the drop-in `bluetooth.conf` makes the daemon do this too. If the adapter goes down again, see `journalctl -u bluetooth`."
                )
            }
            try BeaconAdapter.isBlocked(true)
            try expect("fault", "hci0 is switched off by rfkill.", remedy: "Run `sudo rfkill unblock bluetooth`.")
            try BeaconAdapter.isBlocked(false)
        }

        @Test("The doctor reports that another program uses the adapter.")
        func taken() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            let program = try BeaconAdapter.Owner()
            try expect("fault", "another program uses hci0 exclusively.", remedy: "End that program.")
            withExtendedLifetime(program) {}
        }

        @Test("The doctor lists the adapters.")
        func number() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            bench.parts["bluetooth"] = "1"
            try expect(
                "fault", "hci1 does not exist; this computer has only hci0.",
                remedy:
                    "Remove `dtoverlay=disable-bt` from config.txt, plug an adapter in, or write `\(bench.section(["bluetooth": "none"]))`."
            )
        }

        private func expect(
            _ grade: String, _ text: String, remedy: String?, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let report = try bench.ask()
            let finding = DoctorBench.Finding(check: "bluetooth", grade: grade, text: text, remedy: remedy)
            #expect(report.about("bluetooth") == [finding], sourceLocation: sourceLocation)
            #expect(report.status == 1, sourceLocation: sourceLocation)
        }
    }
}
