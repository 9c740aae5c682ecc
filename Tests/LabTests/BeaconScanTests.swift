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
        @Test("keeps the contract, in the old way and in the new one", arguments: [false, true])
        func contract(knowsExtended: Bool) throws {
            let controller = try BeaconController(knowsExtended: knowsExtended)
            defer { controller.unplug() }
            #expect(violationsOfScannerContract(hearing: BeaconBench.beacon) { BeaconBench() } == [])
            #expect(controller.scan == nil)
        }

        @Test(
            "is passive, keeps duplicates, and listens for as long as the duty says",
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

        @Test("reports each frame that the adapter reports")
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

        @Test("follows the duty from one to the other and back")
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

        @Test("never calls the program while nothing is heard")
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

        @Test("is ended when the scanner goes away without having been told to rest")
        func dropped() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            do {
                let bench = BeaconBench()
                #expect(bench.listen())
                #expect(controller.scan != nil)
            }
            let bench = BeaconBench()
            #expect(bench.run { _ in controller.scan == nil })
        }
    }
}
