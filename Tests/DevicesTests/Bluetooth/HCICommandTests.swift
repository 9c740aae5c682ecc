import Devices
import Testing
import Tracking

@Suite("A command to a Bluetooth controller")
struct HCICommandTests {
    static let golden: [(HCICommand, String)] = [
        (.readFeatures, "01 03 20 00"),
        (.setEnable(.legacy, isOn: true), "01 0C 20 02 01 00"),
        (.setEnable(.legacy, isOn: false), "01 0C 20 02 00 00"),
        (.setEnable(.extended, isOn: true), "01 42 20 06 01 00 00 00 00 00"),
        (.setEnable(.extended, isOn: false), "01 42 20 06 00 00 00 00 00 00"),
    ]

    @Test("Each command has the bytes of the specification.", arguments: golden)
    func bytes(command: HCICommand, text: String) {
        #expect(command.packet == HCISamples.bytes(text))
    }

    // The scans are passive and have no filter. In units of 0.625 ms, 0x00A0 is 100 ms, 0x3E80 is 10 s and 0x0640 is 1 s.
    @Test(
        "The scan parameters follow the duty.",
        arguments: [
            (ScanDuty.full, ScanKind.legacy, "01 0B 20 07 00 A0 00 A0 00 00 00"),
            (.low, .legacy, "01 0B 20 07 00 80 3E 40 06 00 00"),
            (.full, .extended, "01 41 20 08 00 00 01 00 A0 00 A0 00"),
            (.low, .extended, "01 41 20 08 00 00 01 00 80 3E 40 06"),
        ])
    func parameters(duty: ScanDuty, kind: ScanKind, text: String) throws {
        let timing = try #require(ScanTiming(duty))
        #expect(HCICommand.setParameters(kind, timing).packet == HCISamples.bytes(text))
    }

    @Test("The duty `off` has no timing.")
    func off() {
        #expect(ScanTiming(.off) == nil)
    }
}
