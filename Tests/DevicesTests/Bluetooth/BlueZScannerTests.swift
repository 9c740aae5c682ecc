import Contracts
import Devices
import Hardware
import Quantities
import TestSupport
import Testing
import Tracking

@Suite("A Bluetooth scanner")
struct BlueZScannerTests {
    private let bench = FakeScannerBench()

    @Test("keeps the contract", arguments: [true, false])
    func contract(knowsExtended: Bool) {
        let violations = violationsOfScannerContract(hearing: FakeScannerBench.beacon) {
            let bench = FakeScannerBench()
            bench.adapter.controller.knowsExtended = knowsExtended
            return bench
        }
        #expect(violations == [])
    }

    @Test("has the adapter open only while it is to listen")
    func open() {
        #expect(bench.adapter.attempts == 0)
        #expect(bench.listen())
        #expect(bench.adapter.isOpen)
        bench.blueZScanner.scan(.off, at: bench.now)
        _ = bench.settle()
        #expect(!bench.adapter.isOpen)
        #expect(bench.blueZScanner.wait == Wait())
        #expect(bench.adapter.controller.scan == nil)
    }

    @Test(
        "listens passively, with duplicates, for as long as the duty says",
        arguments: [(ScanDuty.full, 160, 160), (.low, 16000, 1600)])
    func settings(duty: ScanDuty, interval: Int, window: Int) throws {
        #expect(bench.listen(duty))
        let scan = try #require(bench.adapter.controller.scan)
        #expect(scan.isExtended)
        #expect(!scan.isActive)
        #expect(!scan.filtersDuplicates)
        #expect(scan.interval == UInt16(interval))
        #expect(scan.window == UInt16(window))
    }

    @Test("says to the controller what it must, and no more")
    func commands() {
        #expect(bench.listen())
        bench.blueZScanner.scan(.off, at: bench.now)
        _ = bench.settle()
        let commands = [
            "01 03 20 00", "01 41 20 08 00 00 01 00 A0 00 A0 00", "01 42 20 06 01 00 00 00 00 00",
            "01 42 20 06 00 00 00 00 00 00",
        ]
        #expect(bench.adapter.commands == commands.map(HCISamples.bytes))
    }

    @Test("is not called at low duty while nothing is heard")
    func asleep() {
        #expect(bench.listen(.low))
        let calls = bench.calls
        bench.pass(.seconds(86_400))
        #expect(bench.calls == calls)
        #expect(bench.blueZScanner.wait == Wait())
    }

    @Test("passes on every report of an event, and leaves out those without a signal strength")
    func several() {
        #expect(bench.listen())
        let data = HCISamples.beaconData
        bench.adapter.deliver(FakeController.legacy([data, [0x02, 0x01, 0x06], data], rssi: -67))
        bench.adapter.deliver(FakeController.legacy([data], rssi: 127))
        #expect(bench.settle() == [.beacon(FakeScannerBench.beacon), .beacon(FakeScannerBench.beacon)])
    }

    @Test("does not read what comes in parts")
    func parts() {
        #expect(bench.listen())
        for type: UInt8 in [0x20, 0x20, 0x00] { bench.adapter.deliver(HCISamples.extended(type: type)) }
        #expect(bench.settle().isEmpty)
        bench.adapter.deliver(HCISamples.extended())
        #expect(bench.settle() == [.beacon(FakeScannerBench.beacon)])
    }

    @Test("takes a bounded number of packets a turn from a flood")
    func flood() {
        #expect(bench.listen())
        for _ in 0..<1000 { bench.adapter.deliver(FakeController.legacy([HCISamples.beaconData], rssi: -67)) }
        #expect(bench.blueZScanner.advance(at: bench.now).count == 64)
        #expect(bench.settle().count == 936)
        #expect(bench.blueZScanner.isScanning)
    }

    @Test("goes on after bytes that mean nothing")
    func garbage() {
        #expect(bench.listen())
        let packets: [[UInt8]] = [
            [], [4], [0xFF], Array(repeating: 0xFF, count: 258), [4, 0x3E, 2, 2, 255], Array(0...255),
        ]
        for packet in packets { bench.adapter.deliver(packet) }
        bench.adapter.hear(HCISamples.beaconData, rssi: -67)
        #expect(bench.settle() == [.beacon(FakeScannerBench.beacon)])
        #expect(bench.blueZScanner.isScanning)
    }

    @Test("says why an adapter cannot be used, tries again with growing pauses, and listens when it can")
    func obstacle() {
        bench.adapter.obstacle = .blocked
        #expect(!bench.listen())
        let complaint = "hci0: switched off by rfkill. Switch it on with `rfkill unblock bluetooth`."
        #expect(bench.blueZScanner.complaint == complaint)
        bench.pass(.seconds(600))
        // 1, 2, 4, 8, 16, 32, then 60 s apart.
        #expect((14...16).contains(bench.adapter.attempts))
        #expect(bench.blueZScanner.complaint == complaint)
        bench.adapter.obstacle = nil
        bench.pass(.seconds(60))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.blueZScanner.complaint == nil)
    }

    @Test("has nothing to complain of, nor anything to try, when it is not to listen")
    func quiet() {
        bench.adapter.obstacle = .absent
        #expect(!bench.listen())
        bench.blueZScanner.scan(.off, at: bench.now)
        #expect(bench.blueZScanner.complaint == nil)
        #expect(bench.blueZScanner.wait == Wait())
    }

    @Test(
        "notices that the adapter is gone, and listens again when it is back",
        arguments: [AdapterTrouble.unplugged, .down])
    func gone(trouble: AdapterTrouble) {
        #expect(bench.listen())
        bench.adapter.end(trouble)
        #expect(bench.settle() == [.beaconScanner(isListening: false)])
        #expect(bench.blueZScanner.trouble == trouble)
        #expect(!bench.adapter.isOpen)
        bench.adapter.obstacle = nil
        bench.pass(.seconds(1))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.blueZScanner.complaint == nil)
        #expect(bench.events(during: .seconds(3)).count >= 9)
    }

    @Test("tells once that it cannot listen, and once that it can")
    func told() {
        bench.adapter.obstacle = .blocked
        #expect(!bench.listen())
        let told = bench.events(during: .seconds(60)).filter { !$0.isBeacon }
        #expect(told == [.beaconScanner(isListening: false)])
        bench.adapter.obstacle = nil
        #expect(bench.events(during: .seconds(70)).filter { !$0.isBeacon } == [.beaconScanner(isListening: true)])
    }

    @Test("opens an adapter anew that does not answer, with growing pauses")
    func mute() {
        bench.adapter.isMute = true
        #expect(!bench.listen())
        #expect(bench.blueZScanner.complaint == nil)
        bench.pass(.seconds(2))
        #expect(bench.blueZScanner.trouble == .silent)
        bench.pass(.seconds(600))
        #expect((14...16).contains(bench.adapter.attempts))
        #expect(bench.blueZScanner.trouble == .silent)
        bench.adapter.isMute = false
        bench.pass(.seconds(60))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.blueZScanner.complaint == nil)
    }

    @Test("ends the scan that it could not end when the adapter did not answer")
    func muteInBetween() {
        #expect(bench.listen())
        bench.adapter.isMute = true
        bench.blueZScanner.scan(.low, at: bench.now)
        bench.pass(.seconds(2))
        #expect(bench.blueZScanner.trouble == .silent)
        bench.adapter.isMute = false
        bench.pass(.seconds(1))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.adapter.controller.scan?.window == 1600)
    }

    @Test(
        "ends the scan that the program left on when it was killed, whether it is to listen or not",
        arguments: ScanDuty.allCases)
    func killed(duty: ScanDuty) {
        let adapter = FakeAdapter()
        let before = BlueZScanner(adapter)
        before.scan(.full, at: bench.now)
        while adapter.isReadable { _ = before.advance(at: bench.now) }
        let after = BlueZScanner(adapter, wasKilled: true)
        after.scan(duty, at: bench.now)
        while adapter.isReadable { _ = after.advance(at: bench.now) }
        #expect(adapter.controller.scan?.window == ScanTiming(duty)?.window)
        #expect(after.complaint == nil)
        withExtendedLifetime(before) {}
    }

    @Test("uses what another program's scan brings while its own is refused")
    func shared() {
        let enable: [UInt8] = [0x01, 0x42, 0x20, 0x06, 0x01, 0x00, 0, 0, 0, 0]
        bench.adapter.other(enable)
        #expect(!bench.listen())
        #expect(bench.blueZScanner.trouble == .shared)
        #expect(bench.events(during: .seconds(3)).count >= 9)
        bench.blueZScanner.scan(.off, at: bench.now)
        _ = bench.settle()
        #expect(bench.adapter.controller.scan != nil)
        #expect(!bench.adapter.isOpen)
    }

    @Test("takes its scan up again when another program has ended its own")
    func takenBack() throws {
        #expect(bench.listen(.low))
        let (off, on): ([UInt8], [UInt8]) = (
            [0x01, 0x42, 0x20, 0x06, 0x00, 0x01, 0, 0, 0, 0], [0x01, 0x42, 0x20, 0x06, 0x01, 0x01, 0, 0, 0, 0]
        )
        let settings: [UInt8] = [0x01, 0x41, 0x20, 0x08, 0x00, 0x00, 0x01, 0x01, 0x60, 0x00, 0x30, 0x00]
        for command in [off, settings, on] { bench.adapter.other(command) }
        bench.pass(.seconds(9))
        #expect(bench.adapter.controller.scan?.isActive == true)
        #expect(bench.blueZScanner.trouble == .shared)
        bench.adapter.other(off)
        bench.pass(.seconds(2))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.adapter.controller.scan?.isActive == false)
        #expect(bench.adapter.controller.scan?.filtersDuplicates == false)
    }

    @Test("never leaves its scan on, however it ends")
    func ends() {
        let adapter = FakeAdapter()
        var scanner: BlueZScanner? = BlueZScanner(adapter)
        scanner?.scan(.full, at: bench.now)
        while adapter.isReadable { _ = scanner?.advance(at: bench.now) }
        #expect(adapter.controller.scan != nil)
        scanner = nil
        #expect(adapter.controller.scan == nil)
        #expect(!adapter.isOpen)
    }
}

extension Event {
    fileprivate var isBeacon: Bool { if case .beacon = self { true } else { false } }
}
