import Devices
import Glibc
import Hardware
import Quantities
import TestSupport
import Testing
import Tracking

/// Every fault is named, and ends with beacons again.
extension InTheLab {
    @Suite("A scan for beacons with a faulty adapter")
    struct BeaconFaultTests {
        private let bench = BeaconBench()

        @Test("begins when an adapter is plugged in, and again when it was pulled out and is back")
        func unplugged() throws {
            bench.blueZScanner.scan(.full, at: bench.now)
            #expect(bench.run { $0.blueZScanner.trouble == .absent })
            for _ in 0..<2 {
                let controller = try BeaconController()
                recovers()
                controller.unplug()
                #expect(bench.run { $0.blueZScanner.trouble == .unplugged || $0.blueZScanner.trouble == .down })
            }
            #expect(bench.calls < 500)
        }

        @Test("goes on after the program that is the adapter was killed and started again")
        func killed() throws {
            let beacon = LabBeacons.Beacon(uuid: BeaconBench.beacon.uuid, major: 1, minor: 7, rssi: -67)
            for _ in 0..<2 {
                let adapter = try LabBeacons([beacon])
                bench.blueZScanner.scan(.full, at: bench.now)
                recovers()
                adapter.unplug()
                #expect(bench.run { $0.blueZScanner.trouble != nil })
            }
        }

        @Test("switches the adapter on again that somebody has switched off")
        func down() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            #expect(bench.listen())
            #expect(BeaconAdapter.isOn(false))
            #expect(bench.run { $0.blueZScanner.trouble == .down })
            recovers()
        }

        @Test("says that rfkill has switched the adapter off, and goes on afterwards")
        func blocked() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            #expect(bench.listen())
            try BeaconAdapter.isBlocked(true)
            #expect(bench.run { $0.blueZScanner.trouble == .blocked })
            try BeaconAdapter.isBlocked(false)
            recovers()
        }

        @Test("says that another program has the adapter for itself, and goes on afterwards")
        func taken() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            var program: BeaconAdapter.Owner? = try BeaconAdapter.Owner()
            withExtendedLifetime(program) {
                bench.blueZScanner.scan(.full, at: bench.now)
                #expect(bench.run { $0.blueZScanner.trouble == .taken })
            }
            program = nil
            recovers()
        }

        @Test("says which capabilities it needs")
        func notPermitted() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            // For all threads; the saved user remains.
            try #require(seteuid(65_534) == 0)
            bench.blueZScanner.scan(.full, at: bench.now)
            let isSaid = bench.run { $0.blueZScanner.trouble == .notPermitted }
            try #require(seteuid(0) == 0)
            #expect(isSaid)
            recovers()
        }

        @Test("uses what another program's scan brings, lets it be, and begins its own afterwards")
        func shared() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            let other = BlueZAdapter(0).open()
            #expect(bench.run { _ in (try? other.isOpen()) == true })
            try other.send([0x01, 0x41, 0x20, 0x08, 0x00, 0x00, 0x01, 0x01, 0x60, 0x00, 0x30, 0x00])
            try other.send([0x01, 0x42, 0x20, 0x06, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00])
            #expect(bench.run { _ in controller.scan != nil })
            bench.blueZScanner.scan(.full, at: bench.now)
            #expect(bench.run { $0.blueZScanner.trouble == .shared })
            #expect(bench.events(during: .seconds(2)).contains(.beacon(BeaconBench.beacon)))
            #expect(controller.scan?.isActive == true)
            try other.send([0x01, 0x42, 0x20, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00])
            recovers()
            #expect(controller.scan?.isActive == false)
        }

        @Test(
            "says that the controller refuses, and with which status",
            arguments: [(0x0C, AdapterTrouble.shared), (0x11, .refused(status: 17))])
        func refused(status: Int, trouble: AdapterTrouble) throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            controller.touch { $0.controller.refusal = UInt8(status) }
            bench.blueZScanner.scan(.full, at: bench.now)
            #expect(bench.run { $0.blueZScanner.trouble == trouble })
            controller.touch { $0.controller.refusal = nil }
            recovers()
        }

        @Test("opens an adapter anew that has stopped answering")
        func mute() throws {
            let controller = try BeaconController()
            defer { controller.unplug() }
            #expect(bench.listen())
            controller.touch { $0.isMute = true }
            bench.blueZScanner.scan(.low, at: bench.now)
            #expect(bench.run { $0.blueZScanner.trouble == .silent })
            controller.touch { $0.isMute = false }
            recovers()
        }

        @Test("goes on through events that mean nothing, and through more of them than it can take")
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

        @Test("leaves nothing open, whenever it is told to rest")
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
            // A thread that was still at work when its handle was let go of closes what it has.
            #expect(bench.run { _ in (try? BeaconAdapter.openDescriptors()) == before })
            #expect(bench.run { _ in controller.scan == nil })
        }

        /// Whether the scanner scans, has nothing to complain of, and hears the beacon.
        private func recovers() {
            #expect(bench.run { $0.blueZScanner.isScanning })
            #expect(bench.blueZScanner.complaint == nil)
            let before = bench.heard.count
            #expect(bench.run { $0.heard.count >= before + 3 })
            #expect(bench.heard.allSatisfy { $0 == .beacon(BeaconBench.beacon) })
        }
    }
}
