import Contracts
import Devices
import Hardware
import Quantities
import TestSupport
import Testing
import Tracking

extension InTheLab {
    @Suite("A scan for beacons")
    struct BeaconScanTests {
        @Test("The scanner fulfils the scanner contract with legacy and extended commands.", arguments: [false, true])
        func contract(knowsExtended: Bool) throws {
            let controller = try BeaconController(knowsExtended: knowsExtended)
            defer { controller.unplug() }
            #expect(violationsOfScannerContract(hearing: BeaconBench.beacon) { BeaconBench() } == [])
            #expect(controller.scan == nil)
        }

        @Test(
            "The scan is passive, keeps duplicates and follows the duty.",
            arguments: [(ScanDuty.full, 160, 160), (.low, 16000, 1600)])
        func settings(duty: ScanDuty, interval: Int, window: Int) throws {
            let beacon = LabBeacons.Beacon(uuid: BeaconBench.beacon.uuid, major: 1, minor: 7, rssi: -67)
            let adapter = try LabBeacons([beacon])
            let bench = BeaconBench()
            #expect(bench.listen(duty))
            #expect(bench.run { $0.events.count >= 4 })
            #expect(bench.events.allSatisfy { $0 == .beacon(BeaconBench.beacon) })
            #expect(bench.run { _ in LabBeacons.asked["window"] == window })
            let asked = LabBeacons.asked
            #expect(asked["scan"] == 1 && asked["active"] == 0 && asked["filter_duplicates"] == 0)
            #expect(asked["extended"] == 1 && asked["interval"] == interval)
            #expect(bench.stop())
            #expect(bench.run { _ in LabBeacons.asked["scan"] == 0 })
            withExtendedLifetime(adapter) {}
        }

        @Test("The scanner passes on each frame that the adapter reports.")
        func frames() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            let bench = BeaconBench()
            #expect(bench.listen())
            #expect(bench.run { $0.events.count >= 20 })
            controller.touch { $0.isHearing = false }
            _ = bench.events(during: .milliseconds(200))
            #expect(bench.events.count == controller.touch { $0.frames })
            #expect(bench.stop())
        }

        @Test("The scan follows changes of the duty.")
        func duties() throws {
            let controller = try BeaconController(knowsExtended: false)
            defer { controller.unplug() }
            let bench = BeaconBench()
            #expect(bench.listen(.full))
            #expect(controller.scan?.window == 160)
            #expect(bench.listen(.low))
            #expect(controller.scan?.window == 1600)
            #expect(bench.listen(.full))
            #expect(controller.scan?.window == 160)
            #expect(bench.stop())
            #expect(controller.scan == nil)
        }

        @Test("The scanner does not wake the program while the adapter hears no beacon.")
        func asleep() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            controller.touch { $0.isHearing = false }
            let bench = BeaconBench()
            #expect(bench.listen(.low))
            let calls = bench.calls
            #expect(bench.events(during: .seconds(3)).isEmpty)
            #expect(bench.calls == calls)
            #expect(bench.blueZScanner.wait.deadline == nil)
        }

        @Test("Closing the scanner stops its scan.")
        func closed() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            let closing = BeaconBench()
            #expect(closing.listen())
            #expect(controller.scan != nil)
            closing.blueZScanner.close(at: closing.now, by: closing.now)
            let bench = BeaconBench()
            #expect(bench.run { _ in controller.scan == nil })
        }
    }
}
