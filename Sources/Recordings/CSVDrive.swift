import Motion
package import Quantities
import Tracking

/// Reads recordings with one row per sample, in SI units and degrees; a cell without a value is empty.
enum CSVDrive {
    private static let columns = [
        "t_s", "ax", "ay", "az", "lat", "lon", "alt_m", "speed_mps", "course_deg", "hacc_m",
    ]

    static func read(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        let table = CSVTable(bytes, file: file)
        guard table.indices(of: ["t_s"]) != [nil] else {
            throw .malformed(file: file, line: 1, problem: "column `t_s` is missing; docs/replay.md lists the columns")
        }
        var drive = Drive()
        var latest = Duration.zero
        try table.forEachRow(columns) { cells, line throws(DriveError) in
            guard let seconds = cells[0], seconds >= 0, seconds < 1e9 else {
                throw .malformed(file: file, line: line, problem: "`t_s` is missing, negative or too large")
            }
            let time = Duration(inSeconds: seconds)
            guard time >= latest else {
                throw .malformed(file: file, line: line, problem: "`t_s` decreases; sort the rows by time")
            }
            latest = time
            if let x = cells[1], let y = cells[2], let z = cells[3] {
                drive.samples.append(.init(time, AccelerationSample(x: x, y: y, z: z)))
            }
            if let fix = fix(cells, at: time) { drive.fixes.append(.init(time, fix)) }
        }
        return drive
    }

    private static func fix(_ cells: [Double?], at time: Duration) -> Fix? {
        guard let latitude = cells[4], let longitude = cells[5] else { return nil }
        return Fix(
            mode: .threeDimensional, time: SimulatedDate.epoch + time,
            coordinate: Coordinate(latitude: latitude, longitude: longitude), accuracy: cells[9].map(Metres.init),
            altitude: cells[6].map(Metres.init), speed: cells[7].map(MetresPerSecond.init),
            course: cells[8].map(Degrees.init))
    }
}

package enum SimulatedDate {
    /// The date of simulations, and of replays whose recording has none.
    package static let epoch = Timestamp(year: 2026, month: 1, day: 1)
}

enum SideFiles {
    /// Reads the columns `t_s,on`, one change per line: `on` is 1 if the ignition goes on at this time, and 0 if it goes off.
    static func ignition(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        var drive = Drive()
        try CSVTable(bytes, file: file).forEachRow(["t_s", "on"]) { cells, line throws(DriveError) in
            guard let time = cells[0], (0..<1e9).contains(time), let isOn = cells[1] else {
                throw .malformed(file: file, line: line, problem: "`t_s` and `on` (0 or 1) are required")
            }
            drive.others.append(.init(Duration(inSeconds: time), .ignition(isOn: isOn != 0)))
        }
        return drive
    }

    /// Reads the columns `t_s,uuid,major,minor,rssi`, one advertisement per line.
    static func beacons(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        var drive = Drive()
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            let cells = line.split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
            guard cells.count >= 5, let time = Double(cells[0]), (0..<1e9).contains(time), let major = UInt16(cells[2]),
                let minor = UInt16(cells[3]), let rssi = Int8(cells[4])
            else {
                throw .malformed(file: file, line: index + 1, problem: "`t_s,uuid,major,minor,rssi` are required")
            }
            let sighting = BeaconSighting(uuid: cells[1].lowercased(), major: major, minor: minor, rssi: rssi)
            drive.others.append(.init(Duration(inSeconds: time), .beacon(sighting)))
        }
        return drive
    }
}
