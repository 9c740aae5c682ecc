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

    @Test("The scanner fulfils the scanner contract.", arguments: [true, false])
    func contract(knowsExtended: Bool) {
        let violations = violationsOfScannerContract(hearing: FakeScannerBench.beacon) {
            let bench = FakeScannerBench()
            bench.adapter.controller.knowsExtended = knowsExtended
            return bench
        }
        #expect(violations == [])
    }

    @Test("The adapter is open only while a scan is requested.")
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
        "The scan is passive, keeps duplicates and follows the duty.",
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

    @Test("The scanner sends only the commands that a scan needs.")
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

    @Test("The scanner does not wake at low duty while it hears no beacon.")
    func asleep() {
        #expect(bench.listen(.low))
        let calls = bench.calls
        bench.pass(.seconds(86_400))
        #expect(bench.calls == calls)
        #expect(bench.blueZScanner.wait == Wait())
    }

    @Test("The scanner passes on every report in an event, except reports without a signal strength.")
    func several() {
        #expect(bench.listen())
        let data = HCISamples.beaconData
        bench.adapter.deliver(FakeController.legacy([data, [0x02, 0x01, 0x06], data], rssi: -67))
        bench.adapter.deliver(FakeController.legacy([data], rssi: 127))
        #expect(bench.settle() == [.beacon(FakeScannerBench.beacon), .beacon(FakeScannerBench.beacon)])
    }

    @Test("The scanner drops fragmented advertisements.")
    func parts() {
        #expect(bench.listen())
        for type: UInt8 in [0x20, 0x20, 0x00] { bench.adapter.deliver(HCISamples.extended(type: type)) }
        #expect(bench.settle().isEmpty)
        bench.adapter.deliver(HCISamples.extended())
        #expect(bench.settle() == [.beacon(FakeScannerBench.beacon)])
    }

    @Test("The scanner reads a flood of packets in bounded portions.")
    func flood() {
        #expect(bench.listen())
        for _ in 0..<1000 { bench.adapter.deliver(FakeController.legacy([HCISamples.beaconData], rssi: -67)) }
        #expect(bench.blueZScanner.advance(at: bench.now).count == 64)
        #expect(bench.settle().count == 936)
        #expect(bench.blueZScanner.isScanning)
    }

    @Test("The scanner continues after meaningless bytes.")
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

    @Test("An unusable adapter is a fault, and the scanner tries to open it with growing pauses.")
    func obstacle() {
        bench.adapter.obstacle = .blocked
        #expect(!bench.listen())
        let blocked = ScannerError(adapter: "hci0", .blocked)
        #expect(bench.blueZScanner.fault as? ScannerError == blocked)
        bench.pass(.seconds(600))
        // The attempts are 1, 2, 4, 8, 16, 32, and then 60 s apart.
        #expect((14...16).contains(bench.adapter.attempts))
        #expect(bench.blueZScanner.fault as? ScannerError == blocked)
        bench.adapter.obstacle = nil
        bench.pass(.seconds(60))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.blueZScanner.fault == nil)
    }

    @Test("Without a requested scan, the scanner has no fault and opens no adapter.")
    func quiet() {
        bench.adapter.obstacle = .absent
        #expect(!bench.listen())
        bench.blueZScanner.scan(.off, at: bench.now)
        #expect(bench.blueZScanner.fault == nil)
        #expect(bench.blueZScanner.wait == Wait())
    }

    @Test(
        "The scanner notices that the adapter is gone, and scans again when it is back.",
        arguments: [AdapterError.unplugged, .down])
    func gone(trouble: AdapterError) {
        #expect(bench.listen())
        bench.adapter.end(trouble)
        #expect(bench.settle() == [.beaconScanner(isListening: false)])
        #expect(bench.blueZScanner.error == trouble)
        #expect(!bench.adapter.isOpen)
        bench.adapter.obstacle = nil
        bench.pass(.seconds(1))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.blueZScanner.fault == nil)
        #expect(bench.events(during: .seconds(3)).count >= 9)
    }

    @Test("The loss and the return of the scan are each reported once.")
    func told() {
        bench.adapter.obstacle = .blocked
        #expect(!bench.listen())
        let told = bench.events(during: .seconds(60)).filter { !$0.isBeacon }
        #expect(told == [.beaconScanner(isListening: false)])
        bench.adapter.obstacle = nil
        #expect(bench.events(during: .seconds(70)).filter { !$0.isBeacon } == [.beaconScanner(isListening: true)])
    }

    @Test("The scanner opens a silent adapter again with growing pauses.")
    func mute() {
        bench.adapter.isMute = true
        #expect(!bench.listen())
        #expect(bench.blueZScanner.fault == nil)
        bench.pass(.seconds(2))
        #expect(bench.blueZScanner.error == .silent)
        bench.pass(.seconds(600))
        #expect((14...16).contains(bench.adapter.attempts))
        #expect(bench.blueZScanner.error == .silent)
        bench.adapter.isMute = false
        bench.pass(.seconds(60))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.blueZScanner.fault == nil)
    }

    @Test("The scanner stops a scan later if a silent adapter did not stop the scan.")
    func muteInBetween() {
        #expect(bench.listen())
        bench.adapter.isMute = true
        bench.blueZScanner.scan(.low, at: bench.now)
        bench.pass(.seconds(2))
        #expect(bench.blueZScanner.error == .silent)
        bench.adapter.isMute = false
        bench.pass(.seconds(1))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.adapter.controller.scan?.window == 1600)
    }

    @Test(
        "The scanner stops a scan that a killed program left on, whether a scan is requested or not.",
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
        #expect(after.fault == nil)
        withExtendedLifetime(before) {}
    }

    @Test("The scanner uses another program's scan while its own scan is refused.")
    func shared() {
        let enable: [UInt8] = [0x01, 0x42, 0x20, 0x06, 0x01, 0x00, 0, 0, 0, 0]
        bench.adapter.other(enable)
        #expect(!bench.listen())
        #expect(bench.blueZScanner.error == .shared)
        #expect(bench.events(during: .seconds(3)).count >= 9)
        bench.blueZScanner.scan(.off, at: bench.now)
        _ = bench.settle()
        #expect(bench.adapter.controller.scan != nil)
        #expect(!bench.adapter.isOpen)
    }

    @Test("The scanner scans again after another program has stopped its scan.")
    func takenBack() throws {
        #expect(bench.listen(.low))
        let (off, on): ([UInt8], [UInt8]) = (
            [0x01, 0x42, 0x20, 0x06, 0x00, 0x01, 0, 0, 0, 0], [0x01, 0x42, 0x20, 0x06, 0x01, 0x01, 0, 0, 0, 0]
        )
        let settings: [UInt8] = [0x01, 0x41, 0x20, 0x08, 0x00, 0x00, 0x01, 0x01, 0x60, 0x00, 0x30, 0x00]
        for command in [off, settings, on] { bench.adapter.other(command) }
        bench.pass(.seconds(9))
        #expect(bench.adapter.controller.scan?.isActive == true)
        #expect(bench.blueZScanner.error == .shared)
        bench.adapter.other(off)
        bench.pass(.seconds(2))
        #expect(bench.blueZScanner.isScanning)
        #expect(bench.adapter.controller.scan?.isActive == false)
        #expect(bench.adapter.controller.scan?.filtersDuplicates == false)
    }

    @Test("Closing the scanner stops its scan.")
    func ends() {
        let adapter = FakeAdapter()
        let scanner = BlueZScanner(adapter)
        scanner.scan(.full, at: bench.now)
        while adapter.isReadable { _ = scanner.advance(at: bench.now) }
        #expect(adapter.controller.scan != nil)
        scanner.close(at: bench.now, by: bench.now)
        #expect(adapter.controller.scan == nil)
        #expect(!adapter.isOpen)
    }
}

extension Event {
    fileprivate var isBeacon: Bool { if case .beacon = self { true } else { false } }
}
