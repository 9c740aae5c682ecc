import Foundation
import Peers
import Quantities
import Testing
import Tracking

@testable import Recordings

@Suite("Logs of receivers")
struct ReceiverLogTests {
    private static let log = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../DevicesTests/Fixtures/drive.nmea").standardizedFileURL.path

    @Test(
        "An NMEA log is read with time, position and speed.",
        .enabled(if: Child.find("gpsdecode") != nil, "not installed: gpsdecode of gpsd-clients"))
    func nmea() throws {
        let drive = try DriveReader.read(Self.log)
        #expect((50...60).contains(drive.fixes.count))
        let first = try #require(drive.fixes.first?.value)
        #expect(first.time == Timestamp(year: 2019, month: 5, day: 21) + .seconds(19 * 3600 + 33 * 60 + 27))
        #expect(first.coordinate?.latitude == 41.661408333 && first.speed == MetresPerSecond(10.208))
    }

    @Test("Without gpsd's decoder a log is refused, and the error states what to install.")
    func missing() {
        let error = DriveError.noDecoder(file: "drive.nmea")
        #expect(error.description.contains("Install Debian's package gpsd-clients"))
    }
}
