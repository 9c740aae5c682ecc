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
        let nSat: Int?
        let uSat: Int?
        let satellites: [Satellite]?

        struct Satellite: Decodable { let used: Bool? }

        /// Nil if the message has only dilutions; gpsd then counts no satellites at all.
        var usedCount: Int? { nSat == 0 ? nil : uSat ?? satellites?.count { $0.used ?? false } }
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
        place(&reports)
        var drive = Drive()
        guard let start = reports.map(\.time).min() else { throw .empty(file: file) }
        drive.fixes = reports.map { .init($0.time - start, $0.fix) }
        drive.fixes.sort { $0.time < $1.time }
        return drive
    }

    /// Moves a report without a place to one second from its neighbour if their dates are far apart. A receiver
    /// without an almanac dates its first reports 1980, for example, or 1024 weeks off; the dates themselves stay.
    private static func place(_ reports: inout [(time: Timestamp, fix: Fix)]) {
        guard let last = reports.lastIndex(where: \.fix.hasPlace) else { return }
        for index in reports[..<last].indices.reversed() where !reports[index].fix.hasPlace {
            let step = (reports[index + 1].fix.time ?? reports[index + 1].time) - reports[index].time
            let span = step.magnitude > longestStep ? .seconds(1) : step
            reports[index].time = reports[index + 1].time - span
        }
        for index in reports[(last + 1)...].indices {
            let before = reports[index - 1]
            let step = reports[index].time - (before.fix.time ?? before.time)
            reports[index].time = before.time + (step.magnitude > longestStep ? .seconds(1) : step)
        }
    }

    /// A longer step to or from a report without a place is an error of that report's date.
    private static let longestStep = Duration.seconds(86_400)

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
