import Motion
package import Quantities
import Tracking

/// Reads a drive from CSV: a row a sample, SI units, a cell empty where a sensor reported nothing.
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
                throw .malformed(file: file, line: line, problem: "`t_s` is missing or not 0 or more")
            }
            let time = Duration(inSeconds: seconds)
            guard time >= latest else {
                throw .malformed(file: file, line: line, problem: "`t_s` goes back; rows must be in order of time")
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

/// Recordings that carry no date are dated as if they had begun at this moment.
package enum SimulatedDate {
    /// The beginning of every replay.
    package static let epoch = Timestamp(year: 2026, month: 1, day: 1)
}
