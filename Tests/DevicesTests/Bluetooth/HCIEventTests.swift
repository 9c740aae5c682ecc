import Devices
import Testing

@Suite("An event packet of a Bluetooth controller")
struct HCIEventTests {
    @Test("A captured packet has the expected report.", arguments: HCISamples.captured.indices)
    func captured(index: Int) throws {
        let sample = HCISamples.captured[index]
        let packet = HCISamples.bytes(sample.packet)
        let reports = try #require(HCIEvent(packet: packet)?.reports)
        #expect(reports.map(\.rssi) == [sample.rssi], "\(sample.name)")
        #expect(reports.map(\.data.count) == [sample.length], "\(sample.name)")
        #expect(Array(reports[0].data) == Array(packet[14..<14 + sample.length]), "\(sample.name)")
        #expect(!reports[0].isExtended, "\(sample.name)")
    }

    @Test("A packet may contain several legacy reports.")
    func pair() throws {
        let reports = try #require(HCIEvent(packet: HCISamples.pair)?.reports)
        #expect(reports.map(\.rssi) == [-55, -57])
        #expect(reports.map(\.data.count) == [18, 26])
        #expect(Array(reports[1].data.prefix(2)) == [0x05, 0x12])
        #expect(reports[0].advertiser == reports[1].advertiser)
    }

    @Test("A packet may contain several extended reports.")
    func extendedPair() throws {
        let (one, two) = (HCISamples.extended(from: 1), HCISamples.extended(from: 2, data: [0x02, 0x01, 0x06]))
        let body = one.dropFirst(5) + two.dropFirst(5)
        let reports = try #require(HCIEvent(packet: [0x04, 0x3E, UInt8(body.count + 2), 0x0D, 0x02] + body)?.reports)
        #expect(reports.map(\.rssi) == [-67, -67])
        #expect(Array(reports[0].data) == HCISamples.beaconData)
        #expect(Array(reports[1].data) == [0x02, 0x01, 0x06])
        #expect(reports[0].advertiser != reports[1].advertiser)
        #expect(reports.map(\.isExtended) == [true, true])
    }

    @Test(
        "A report declares whether its advertisement is complete.",
        arguments: [
            (0x00, true, AdvertisingReport.Extent.complete), (0x20, true, .fragment), (0x40, true, .truncated),
            (0x60, true, .truncated), (0x13, false, .complete), (0x01, true, .complete),
        ])
    func extent(type: Int, isExtended: Bool, extent: AdvertisingReport.Extent) {
        let reports = HCIEvent(packet: HCISamples.extended(type: UInt8(type)))?.reports
        #expect(reports?.map(\.extent) == [extent])
        #expect(reports?.map(\.isExtended) == [isExtended])
    }

    @Test("The reports before an incomplete report are read.", arguments: [1, 5, 27, 36])
    func damaged(missing: Int) {
        let whole = Array(HCISamples.pair.dropLast(missing))
        let packet = [0x04, 0x3E, UInt8(whole.count - 3)] + whole.dropFirst(3)
        #expect(HCIEvent(packet: packet)?.reports?.map(\.rssi) == [-55])
    }

    @Test("The parser reads at most the declared number of reports, and at most the reports in the packet.")
    func count() {
        var packet = HCISamples.pair
        packet[4] = 1
        #expect(HCIEvent(packet: packet)?.reports?.count == 1)
        packet[4] = 0
        #expect(HCIEvent(packet: packet)?.reports?.isEmpty == true)
        packet[4] = 0xFF
        #expect(HCIEvent(packet: packet)?.reports?.count == 2)
        #expect(HCIEvent(packet: HCISamples.bytes("04 3E 02 0D FF"))?.reports?.isEmpty == true)
    }

    @Test("A packet for a completed command contains its return values.")
    func complete() {
        let answer = HCIEvent(packet: HCISamples.bytes("04 0E 0C 01 03 20 00 FF 79 00 00 00 00 00 00"))
        #expect(answer == .completed(.readFeatures, status: 0, parameters: [0xFF, 0x79, 0, 0, 0, 0, 0, 0]))
        // This capture is from the same collection as `HCISamples.pair`.
        let enabled = HCIEvent(packet: HCISamples.bytes("04 0E 04 01 0C 20 00"))
        #expect(enabled == .completed(.setEnable, status: 0, parameters: []))
    }

    @Test("A packet reports a refused command, in either form, and a started command.")
    func status() {
        let refused = HCIEvent.completed(.setParameters, status: 0x0C, parameters: [])
        #expect(HCIEvent(packet: HCISamples.bytes("04 0E 04 01 0B 20 0C")) == refused)
        #expect(HCIEvent(packet: HCISamples.bytes("04 0F 04 0C 01 0B 20")) == refused)
        #expect(HCIEvent(packet: HCISamples.bytes("04 0F 04 00 01 0B 20")) == .begun(.setParameters))
    }

    @Test(
        "An event of another kind is `other`.",
        arguments: [
            "04 0E 03 01 00 00", "04 13 05 01 40 00 01 00", "04 3E 01 0A", "04 3E 01 02", "04 3E 00", "04 FF 00",
            "04 05 04 00 40 00 13",
        ])
    func other(text: String) {
        #expect(HCIEvent(packet: HCISamples.bytes(text)) == .other)
    }

    @Test(
        "A packet that is not an event, or has a wrong length, is nil.",
        arguments: [
            "", "04", "04 0E", "04 0E 04 01 0C 20", "04 0E 04 01 0C 20 00 00", "02 0E 04 01 0C 20 00",
            "04 0E 02 01 0C", "04 0E 01 01", "04 0E 00", "04 0F 03 0C 01 0B", "04 0F 00", "04 3E FF 02 01",
        ])
    func nothing(text: String) {
        #expect(HCIEvent(packet: HCISamples.bytes(text)) == nil)
    }
}

extension HCIEvent {
    var reports: [AdvertisingReport]? {
        guard case .advertising(let reports) = self else { return nil }
        return reports
    }
}
