import Calendar
import FoundationEssentials
import Quantities
import Tracking

/// Reads the output of `gpspipe -w`, which has one JSON object per line; TPV and SKY are used.
enum GpsdCapture {
    private struct Report: Decodable {
        let `class`: String
        let device: String?
        let mode: Int?
        let time: String?
        let lat: Double?
        let lon: Double?
        let altMSL: Double?
        let altHAE: Double?
        let speed: Double?
        let track: Double?
        let eph: Double?
        let epx: Double?
        let epy: Double?
        let eps: Double?
        let epv: Double?
        let jam: Int?
        let uSat: Int?
        let satellites: [Satellite]?

        struct Satellite: Decodable { let used: Bool? }

        /// Nil if the message has only dilutions.
        var usedCount: Int? {
            let count = uSat ?? satellites?.count { $0.used ?? false }
            return count == 0 ? nil : count
        }
    }

    static func read(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        let decoder = JSONDecoder()
        var reports: [(time: Timestamp, fix: Fix)] = []
        var devices: [String] = []
        var satellites: Int?
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            // gpsd truncates long lines, so incomplete objects are skipped, as gpsd's clients do.
            guard let report = try? decoder.decode(Report.self, from: Data(line)) else { continue }
            if report.class == "SKY" { satellites = report.usedCount ?? satellites }
            guard report.class == "TPV" else { continue }
            guard let time = report.time.flatMap({ ISO8601($0)?.timestamp() }) else { continue }
            try note(report.device, in: &devices, file: file)
            var fix = fix(from: report, at: time)
            fix.satellites = satellites
            if let last = reports.last, last.time == time {
                // gpsd may report an epoch in several parts, of which later ones are more complete.
                reports[reports.count - 1] = (time, fix.filled(from: last.fix))
            } else {
                reports.append((time, fix))
            }
        }
        var drive = Drive()
        guard let start = reports.map(\.time).min() else { throw .empty(file: file) }
        drive.fixes = reports.map { .init($0.time - start, $0.fix) }
        drive.fixes.sort { $0.time < $1.time }
        return drive
    }

    /// Two devices that report alternately must not mix, but after a replug, a receiver may have a new name.
    private static func note(_ device: String?, in devices: inout [String], file: String) throws(DriveError) {
        guard let device, device != devices.last else { return }
        guard !devices.contains(device) else {
            throw .severalReceivers(file: file, first: device, second: devices.last ?? "")
        }
        devices.append(device)
    }

    private static func fix(from report: Report, at time: Timestamp) -> Fix {
        let sides = [report.epx, report.epy].compactMap { $0 }
        let error = report.eph ?? (sides.count == 2 ? (sides[0] * sides[0] + sides[1] * sides[1]).squareRoot() : nil)
        return Fix(
            mode: Fix.Mode(rawValue: report.mode ?? 0) ?? .unknown, time: time,
            coordinate: report.lat.flatMap { lat in
                report.lon.flatMap { Coordinate(latitude: lat, longitude: $0) }
            }, accuracy: error.map { Metres($0 / Fix.horizontal95To68) }, altitude: report.altMSL.map(Metres.init),
            ellipsoidAltitude: report.altHAE.map(Metres.init),
            verticalAccuracy: report.epv.map { Metres($0 / Fix.linear95To68) },
            speed: report.speed.map(MetresPerSecond.init),
            speedAccuracy: report.eps.map { MetresPerSecond($0 / Fix.linear95To68) },
            course: report.track.map(Degrees.init), jamming: report.jam)
    }
}
