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

    @Test(
        "A log keeps its dates, also those that gpsd's decoder moves by a period of the week number.",
        .enabled(if: Child.find("gpsdecode") != nil, "not installed: gpsdecode of gpsd-clients"),
        arguments: [("040316", 2016, 3, 4), ("010180", 1980, 1, 1), ("170911", 2011, 9, 17), ("020626", 2026, 6, 2)])
    func dates(_ date: String, year: Int, month: Int, day: Int) throws {
        let lines = (10..<15).flatMap { second in
            [
                "GPRMC,0830\(second).00,A,5230.1\(second)0,N,01324.0000,E,10.0,0.0,\(date),,,A",
                "GPGGA,0830\(second).00,5230.1\(second)0,N,01324.0000,E,1,09,0.9,35.0,M,40.0,M,,",
            ].map { text in
                let sum = text.utf8.reduce(0, ^)
                return "$\(text)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
            }
        }
        let scratch = try Scratch()
        try scratch.write(lines.joined(), to: "drive.nmea")
        let drive = try DriveReader.read("\(scratch.path)/drive.nmea")
        let time = try #require(drive.fixes.first { $0.value.hasPlace }?.value.time)
        #expect((8..<9).contains((time - Timestamp(year: year, month: month, day: day)).inSeconds / 3600))
    }

    @Test("Without gpsd's decoder a log is refused, and the error states what to install.")
    func missing() {
        let error = DriveError.noDecoder(file: "drive.nmea")
        #expect(error.description.contains("Install Debian's package gpsd-clients"))
    }
}
