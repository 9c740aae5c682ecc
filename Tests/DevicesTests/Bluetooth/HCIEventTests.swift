import Devices
import Testing

@Suite("An event packet of a Bluetooth controller")
struct HCIEventTests {
    @Test("has the report that was captured", arguments: HCISamples.captured.indices)
    func captured(index: Int) throws {
        let sample = HCISamples.captured[index]
        let packet = HCISamples.bytes(sample.packet)
        let reports = try #require(HCIEvent(packet: packet)?.reports)
        #expect(reports.map(\.rssi) == [sample.rssi], "\(sample.name)")
        #expect(reports.map(\.data.count) == [sample.length], "\(sample.name)")
        #expect(Array(reports[0].data) == Array(packet[14..<14 + sample.length]), "\(sample.name)")
        #expect(!reports[0].isExtended, "\(sample.name)")
    }

    @Test("may have several reports, one behind the other")
    func pair() throws {
        let reports = try #require(HCIEvent(packet: HCISamples.pair)?.reports)
        #expect(reports.map(\.rssi) == [-55, -57])
        #expect(reports.map(\.data.count) == [18, 26])
        #expect(Array(reports[1].data.prefix(2)) == [0x05, 0x12])
        #expect(reports[0].advertiser == reports[1].advertiser)
    }

    @Test("may have several extended reports, one behind the other")
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
        "says whether an advertisement is there in full",
        arguments: [
            (0x00, true, AdvertisingReport.Extent.toTheEnd), (0x20, true, .part), (0x40, true, .cutOff),
            (0x60, true, .cutOff), (0x13, false, .toTheEnd), (0x01, true, .toTheEnd),
        ])
    func extent(type: Int, isExtended: Bool, extent: AdvertisingReport.Extent) {
        let reports = HCIEvent(packet: HCISamples.extended(type: UInt8(type)))?.reports
        #expect(reports?.map(\.extent) == [extent])
        #expect(reports?.map(\.isExtended) == [isExtended])
    }

    @Test("keeps the reports in front of one that is not there in full", arguments: [1, 5, 27, 36])
    func damaged(missing: Int) {
        let whole = Array(HCISamples.pair.dropLast(missing))
        let packet = [0x04, 0x3E, UInt8(whole.count - 3)] + whole.dropFirst(3)
        #expect(HCIEvent(packet: packet)?.reports?.map(\.rssi) == [-55])
    }

    @Test("has no more reports than it counts, and no more than it holds")
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

    @Test("tells what a command returned")
    func complete() {
        let answer = HCIEvent(packet: HCISamples.bytes("04 0E 0C 01 03 20 00 FF 79 00 00 00 00 00 00"))
        #expect(answer == .completed(.readFeatures, status: 0, parameters: [0xFF, 0x79, 0, 0, 0, 0, 0, 0]))
        // Captured; from the collection that `HCISamples.pair` is from.
        let enabled = HCIEvent(packet: HCISamples.bytes("04 0E 04 01 0C 20 00"))
        #expect(enabled == .completed(.setEnable, status: 0, parameters: []))
    }

    @Test("tells that a command is refused, in either way, or begun")
    func status() {
        let refused = HCIEvent.completed(.setParameters, status: 0x0C, parameters: [])
        #expect(HCIEvent(packet: HCISamples.bytes("04 0E 04 01 0B 20 0C")) == refused)
        #expect(HCIEvent(packet: HCISamples.bytes("04 0F 04 0C 01 0B 20")) == refused)
        #expect(HCIEvent(packet: HCISamples.bytes("04 0F 04 00 01 0B 20")) == .begun(.setParameters))
    }

    @Test(
        "is something else when it is about something else",
        arguments: [
            "04 0E 03 01 00 00", "04 13 05 01 40 00 01 00", "04 3E 01 0A", "04 3E 01 02", "04 3E 00", "04 FF 00",
            "04 05 04 00 40 00 13",
        ])
    func other(text: String) {
        #expect(HCIEvent(packet: HCISamples.bytes(text)) == .other)
    }

    @Test(
        "is nothing when it is no event, or not as long as it says",
        arguments: [
            "", "04", "04 0E", "04 0E 04 01 0C 20", "04 0E 04 01 0C 20 00 00", "02 0E 04 01 0C 20 00",
            "04 0E 02 01 0C", "04 0E 01 01", "04 0E 00", "04 0F 03 0C 01 0B", "04 0F 00", "04 3E FF 02 01",
        ])
    func nothing(text: String) {
        #expect(HCIEvent(packet: HCISamples.bytes(text)) == nil)
    }
}

extension HCIEvent {
    /// The reports, if it has any.
    var reports: [AdvertisingReport]? {
        guard case .advertising(let reports) = self else { return nil }
        return reports
    }
}
