import Foundation
import Motion
import Peers
import Quantities
import Testing
import Tracking

@testable import Recordings

@Suite("Drive files")
struct DriveReaderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func write(_ text: String, _ name: String) throws -> String {
        try scratch.write(text, to: name)
        return "\(scratch.path)/\(name)"
    }

    @Test("A CSV drive is read with empty cells and columns in any order.")
    func csv() throws {
        let drive = try DriveReader.read(
            write(
                "lat,lon,t_s,ax,ay,az,speed_mps\n,,0,0.1,0.2,9.8,\n52.5,4.5,0.5,,,,7.5\n52.6,4.5,1.5,,,,\n", "drive.csv"
            ))
        #expect(drive.samples.count == 1)
        #expect(drive.fixes.map(\.value.speed) == [MetresPerSecond(7.5), nil])
        #expect(drive.fixes.first?.value.time == SimulatedDate.epoch + .milliseconds(500))
        #expect(drive.length == .milliseconds(1500))
    }

    @Test(
        "A CSV drive with an error is refused with file, line and cause.",
        arguments: [
            ("t_s,lat,lon\n0,52,4\nx,52,4\n", ":3: `x` in column `t_s` is not a number."),
            ("t_s,lat,lon\n5,52,4\n4,52,4\n", ":3: `t_s` decreases; sort the rows by time."),
            ("t_s,lat,lon\n,52,4\n", ":2: `t_s` is missing, negative or too large."),
            ("lat,lon\n52,4\n", ":1: column `t_s` is missing; docs/replay.md lists the columns."),
        ])
    func badCSV(text: String, message: String) throws {
        let path = try write(text, "drive.csv")
        let error = #expect(throws: DriveError.self) { try DriveReader.read(path) }
        #expect(error?.description == path + message)
    }

    @Test(
        "An error quotes only a part of a long cell, and a file above the limit is refused before it fills the memory."
    )
    func excessive() throws {
        let path = try write("t_s,lat,lon\n0,\(String(repeating: "x", count: 1 << 20)),4\n", "drive.csv")
        let error = #expect(throws: DriveError.self) { try DriveReader.read(path) }
        #expect((error?.description.utf8.count ?? 0) < 200 + path.utf8.count)
        #expect(throws: DriveError.tooLarge(file: path, limit: 1 << 20)) { try GzipFile.read(path, limit: 1 << 20) }
        #expect(try GzipFile.read(path, limit: 2 << 20).count > 1 << 20)
    }

    @Test("A drive that is missing, empty or of an unknown kind is refused.")
    func unreadable() throws {
        #expect(throws: DriveError.unreadable(file: "/nonexistent.csv", cause: "No such file or directory")) {
            try DriveReader.read("/nonexistent.csv")
        }
        let path = try write("", "drive.txt")
        #expect(throws: DriveError.unknownKind(file: path)) { try DriveReader.read(path) }
        let empty = try write("t_s,lat,lon\n", "drive.csv")
        #expect(throws: DriveError.empty(file: empty)) { try DriveReader.read(empty) }
    }

    @Test("A gzipped file that ends too early is refused and not replayed in part.")
    func truncated() throws {
        let whole = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Traces/2025-06-14_21-17-02.csv.gz")
        let path = try write("", "drive.csv.gz")
        try Data(contentsOf: whole).prefix(5000).write(to: URL(fileURLWithPath: path))
        #expect(throws: DriveError.unreadable(file: path, cause: "the compressed data ends too early")) {
            try DriveReader.read(path)
        }
    }

    @Test("A capture of gpsd is read, and the reports of one epoch are merged.")
    func gpsd() throws {
        let drive = try DriveReader.read(
            write(
                """
                {"class":"VERSION","release":"3.22"}
                {"class":"SKY","nSat":9,"satellites":[{"used":true},{"used":true},{"used":false}]}
                {"class":"SKY","hdop":1.1,"nSat":0,"uSat":0}
                {"class":"TPV","mode":3,"time":"2025-10-09T08:53:20.000Z","lat":52.374031,"lon":4.889692}
                {"class":"TPV","mode":3,"time":"2025-10-09T08:53:20.000Z","lat":52.374031,"lon":4.889692,"speed":13.06,"eph":9.72}
                {"class":"TPV","mode":3,"time":"2025-10-09T08:53:21.000Z","lat":52.374031,"lon":4.8
                nonsense
                {"class":"TPV","mode":1,"time":"2025-10-09T08:53:22.000Z"}
                """, "capture.json"))
        #expect(drive.fixes.map(\.time) == [.zero, .seconds(2)])
        #expect(drive.fixes.first?.value.speed == MetresPerSecond(13.06))
        #expect(drive.fixes.first?.value.accuracy == Metres(6))
        #expect(drive.fixes.first?.value.satellites == 2)
        #expect(drive.fixes.last?.value.mode == .noFix)
    }

    @Test("A sky without a used satellite replaces the earlier one.")
    func noneUsed() throws {
        let drive = try DriveReader.read(
            write(
                """
                {"class":"SKY","nSat":9,"uSat":7}
                {"class":"TPV","mode":3,"time":"2025-10-09T08:53:20.000Z","lat":52.374031,"lon":4.889692}
                {"class":"SKY","nSat":9,"uSat":0}
                {"class":"TPV","mode":3,"time":"2025-10-09T08:53:21.000Z","lat":52.374031,"lon":4.889692}
                """, "capture.json"))
        #expect(drive.fixes.map(\.value.satellites) == [7, 0])
    }

    @Test(
        "Reports without a place that are dated far off come just before those with the right date, or just after them.",
        arguments: ["1980-01-06T00:00:0", "2080-12-31T23:59:5", "2006-05-06T09:00:0"])
    func wrongDates(_ wrong: String) throws {
        func cold(_ second: Int) -> String { #"{"class":"TPV","mode":1,"time":"\#(wrong)\#(second)Z"}"# }
        func warm(_ second: Int) -> String {
            #"{"class":"TPV","mode":3,"time":"2025-10-09T08:53:2\#(second)Z","lat":52.374031,"lon":4.889692}"#
        }
        let lines = [cold(2), cold(3), cold(5), warm(0), warm(1), cold(0), cold(2)]
        let drive = try DriveReader.read(write(lines.joined(separator: "\n"), "capture.json"))
        #expect(drive.fixes.map(\.time) == [0, 1, 3, 4, 5, 6, 8].map { .seconds($0) })
        #expect(drive.fixes.map(\.value.hasPlace) == [false, false, false, true, true, false, false])
        let start = Timestamp(year: 2025, month: 10, day: 9) + .seconds(8 * 3600 + 53 * 60 + 16)
        #expect(Timeline([drive], gap: .zero).date == start)
    }

    @Test("A capture in which two receivers report in turn is refused with their names.")
    func twoReceivers() throws {
        let lines = (0..<4).map { second in
            #"{"class":"TPV","device":"/dev/gps\#(second % 2)","mode":3,"time":"2025-10-09T08:53:2\#(second)Z","lat":52,"lon":4}"#
        }
        let path = try write(lines.joined(separator: "\n"), "capture.json")
        #expect(throws: DriveError.severalReceivers(file: path, first: "/dev/gps0", second: "/dev/gps1")) {
            try DriveReader.read(path)
        }
        // A receiver that was plugged in again has another name.
        let again = try write(lines.prefix(2).joined(separator: "\n"), "again.json")
        #expect(try DriveReader.read(again).fixes.count == 2)
    }

    @Test("A folder is read as one drive with its beacons and ignition.")
    func folder() throws {
        let path = try write("t_s,lat,lon\n0,52,4\n9,52,4\n", "drive.csv")
        let folder = String(path.dropLast("/drive.csv".count))
        try Data("t_s,on\n3,1\n8,0\n".utf8).write(to: URL(fileURLWithPath: folder + "/ignition.csv"))
        try Data("t_s,uuid,major,minor,rssi\n5,6D1F2A90-4C3E-4B7A-9E55-0A1B2C3D4E5F,1,7,-60\n".utf8)
            .write(to: URL(fileURLWithPath: folder + "/beacons.csv"))
        let drive = try DriveReader.read(folder)
        let sighting = BeaconSighting(uuid: "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f", major: 1, minor: 7, rssi: -60)
        #expect(drive.fixes.count == 2)
        #expect(drive.others.map(\.value) == [.ignition(isOn: true), .beacon(sighting), .ignition(isOn: false)])
    }

    @Test("A drive is thinned to the sample rate of a slower chip.")
    func thin() throws {
        var drive = Drive()
        drive.samples = (0..<260).map { .init(.milliseconds($0 * 10), .init(x: 0, y: 0, z: 9.8)) }
        drive.thin(toRate: 10)
        #expect((26...27).contains(drive.samples.count))
    }
}
