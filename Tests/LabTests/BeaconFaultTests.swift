import Devices
import Glibc
import Hardware
import Peers
import Quantities
import TestSupport
import Testing
import Tracking

/// The scanner reports every fault, and hears beacons again afterwards.
extension InTheLab {
    @Suite("A scan for beacons with a faulty adapter")
    struct BeaconFaultTests {
        private let bench = BeaconBench()

        @Test("The scan starts when an adapter is plugged in, and again after it was unplugged.")
        func unplugged() throws {
            bench.blueZScanner.scan(.full, at: bench.now)
            #expect(bench.run { $0.blueZScanner.error == .absent })
            for _ in 0..<2 {
                let controller = try BeaconController()
                recovers()
                controller.unplug()
                #expect(bench.run { $0.blueZScanner.error == .unplugged || $0.blueZScanner.error == .down })
            }
            #expect(bench.calls < 500)
        }

        @Test("The scan continues after the simulated adapter was killed and started again.")
        func killed() throws {
            let beacon = LabBeacons.Beacon(uuid: BeaconBench.beacon.uuid, major: 1, minor: 7, rssi: -67)
            for _ in 0..<2 {
                let adapter = try LabBeacons([beacon])
                bench.blueZScanner.scan(.full, at: bench.now)
                recovers()
                adapter.unplug()
                #expect(bench.run { $0.blueZScanner.error != nil })
            }
        }

        @Test("The scanner switches on an adapter that was switched off.")
        func down() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            #expect(bench.listen())
            #expect(BeaconAdapter.isOn(false))
            #expect(bench.run { $0.blueZScanner.error == .down })
            recovers()
        }

        @Test("An adapter blocked by rfkill is a fault, and the scan continues afterwards.")
        func blocked() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            #expect(bench.listen())
            try BeaconAdapter.isBlocked(true)
            #expect(bench.run { $0.blueZScanner.error == .blocked })
            try BeaconAdapter.isBlocked(false)
            recovers()
        }

        @Test("An adapter that another program owns is a fault, and the scan continues afterwards.")
        func taken() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            var program: BeaconAdapter.Owner? = try BeaconAdapter.Owner()
            withExtendedLifetime(program) {
                bench.blueZScanner.scan(.full, at: bench.now)
                #expect(bench.run { $0.blueZScanner.error == .taken })
            }
            program = nil
            recovers()
        }

        @Test(
            "A missing capability is a fault: to scan with an adapter that is on, or to switch an adapter on.",
            arguments: [(true, AdapterError.notPermitted), (false, .off)])
        func notPermitted(isOn: Bool, error: AdapterError) throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            try #require(eventually { BeaconAdapter.isOn(true) || errno == EALREADY })
            try #require(isOn || BeaconAdapter.isOn(false))
            // This call changes the user of all threads; the saved user ID remains root, so the test can switch back.
            try #require(seteuid(65_534) == 0)
            bench.blueZScanner.scan(.full, at: bench.now)
            let isSaid = bench.run { $0.blueZScanner.error == error }
            try #require(seteuid(0) == 0)
            #expect(isSaid)
            recovers()
        }

        @Test("The scanner uses another program's scan without changing that scan, and starts its own scan afterwards.")
        func shared() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            let other = BlueZAdapter(0).open()
            #expect(bench.run { _ in (try? other.isOpen()) == true })
            try other.send([0x01, 0x41, 0x20, 0x08, 0x00, 0x00, 0x01, 0x01, 0x60, 0x00, 0x30, 0x00])
            try other.send([0x01, 0x42, 0x20, 0x06, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00])
            #expect(bench.run { _ in controller.scan != nil })
            bench.blueZScanner.scan(.full, at: bench.now)
            #expect(bench.run { $0.blueZScanner.error == .shared })
            #expect(bench.events(during: .seconds(2)).contains(.beacon(BeaconBench.beacon)))
            #expect(controller.scan?.isActive == true)
            try other.send([0x01, 0x42, 0x20, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00])
            recovers()
            #expect(controller.scan?.isActive == false)
        }

        @Test(
            "The fault has the status with which the controller refuses.",
            arguments: [(0x0C, AdapterError.shared), (0x11, .refused(status: 17))])
        func refused(status: Int, trouble: AdapterError) throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            controller.touch { $0.controller.refusal = UInt8(status) }
            bench.blueZScanner.scan(.full, at: bench.now)
            #expect(bench.run { $0.blueZScanner.error == trouble })
            controller.touch { $0.controller.refusal = nil }
            recovers()
        }

        @Test("The scanner opens the adapter again after the adapter has stopped answering.")
        func mute() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            #expect(bench.listen())
            controller.touch { $0.isMute = true }
            bench.blueZScanner.scan(.low, at: bench.now)
            #expect(bench.run { $0.blueZScanner.error == .silent })
            controller.touch { $0.isMute = false }
            recovers()
        }

        @Test("The scanner continues after a flood of meaningless events.")
        func garbage() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            #expect(bench.listen())
            var random = SystemRandomNumberGenerator()
            for _ in 0..<1000 {
                let subevent: UInt8 = Bool.random(using: &random) ? 0x02 : 0x0D
                let length = Int.random(in: 0...200, using: &random)
                let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                controller.send([0x04, 0x3E, UInt8(length + 1), subevent] + noise)
            }
            let before = bench.calls
            _ = bench.events(during: .seconds(1))
            #expect(bench.calls - before < 1100)
            recovers()
        }

        @Test("A scanner that has stopped scanning leaves no descriptor open.")
        func descriptors() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            bench.blueZScanner.scan(.full, at: bench.now)
            recovers()
            #expect(bench.stop())
            let before = try BeaconAdapter.openDescriptors()
            for index in 0..<50 {
                bench.blueZScanner.scan(.full, at: bench.now)
                if index % 2 == 0 { #expect(bench.run { $0.blueZScanner.isScanning }) }
                #expect(bench.stop())
            }
            // If the scan's thread still runs when the scanner releases the handle, that thread closes the descriptors later.
            #expect(bench.run { _ in (try? BeaconAdapter.openDescriptors()) == before })
            #expect(bench.run { _ in controller.scan == nil })
        }

        private func recovers() {
            #expect(bench.run { $0.blueZScanner.isScanning })
            #expect(bench.blueZScanner.fault == nil)
            let before = bench.heard.count
            #expect(bench.run { $0.heard.count >= before + 3 })
            #expect(bench.heard.allSatisfy { $0 == .beacon(BeaconBench.beacon) })
        }
    }
}
