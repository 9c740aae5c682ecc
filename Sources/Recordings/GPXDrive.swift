import Calendar
import CExpat
import FoundationEssentials
import Quantities
import Tracking

final class GPXDrive {
    private var fixes: [Fix] = []
    /// Points with a position but no time.
    private var undatedCount = 0
    private var isGPX = false
    private var fix: Fix?
    private var text: [UInt8] = []

    /// Skips points without a time or a position; errors name `file`.
    static func read(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        try GPXDrive().drive(bytes, file: file)
    }

    private func drive(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        let error = read(bytes)
        if let cause = error.cause {
            let problem = "the XML is damaged or cut off at column \(error.column): \(String(cString: cause))"
            throw .malformed(file: file, line: Int(error.line), problem: problem)
        }
        guard isGPX else { throw .malformed(file: file, line: 1, problem: "the file has no `gpx` element") }
        // The drive starts at the earliest point, because servers export points in the order in which they arrived.
        guard let start = fixes.compactMap(\.time).min() else {
            throw undatedCount > 0 ? .undated(file: file, points: undatedCount) : .empty(file: file)
        }
        guard fixes.contains(where: { $0.time != start }) || Set(fixes.map(\.coordinate)).count == 1 else {
            let problem = "all \(fixes.count) points have one time, and a replay needs the time of each"
            throw .malformed(file: file, line: 1, problem: problem)
        }
        var drive = Drive()
        drive.fixes = fixes.compactMap { fix in fix.time.map { .init($0 - start, fix) } }
        drive.fixes.sort { $0.time < $1.time }
        return drive
    }

    /// The error's `cause` is nil if the whole document was read.
    private func read(_ bytes: [UInt8]) -> cexpat_error {
        var visitor = cexpat_visitor(
            context: Unmanaged.passUnretained(self).toOpaque(),
            begin: { context, name, attributes in
                guard let context, let name, let attributes else { return }
                GPXDrive.of(context).begin(String(cString: name), attributes)
            },
            text: { context, bytes, count in
                guard let context, let bytes else { return }
                GPXDrive.of(context).text += UnsafeRawBufferPointer(start: bytes, count: Int(count))
            },
            end: { context, name in
                guard let context, let name else { return }
                GPXDrive.of(context).end(String(cString: name))
            })
        return withExtendedLifetime(self) { cexpat_read(bytes, bytes.count, &visitor) }
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> GPXDrive {
        Unmanaged.fromOpaque(context).takeUnretainedValue()
    }

    private func begin(_ name: String, _ attributes: UnsafePointer<UnsafePointer<CChar>?>) {
        text.removeAll(keepingCapacity: true)
        guard Self.local(name) == "trkpt" else { return }
        var (latitude, longitude): (Double?, Double?)
        var index = 0
        while let key = attributes[index], let value = attributes[index + 1] {
            switch String(cString: key) {
            case "lat": latitude = Self.number(String(cString: value))
            // Some programs continue to count beyond the date line.
            case "lon":
                let number = Self.number(String(cString: value))
                longitude = number.map { abs($0) <= 540 ? $0.remainder(dividingBy: 360) : $0 }
            default: break
            }
            index += 2
        }
        guard let latitude, let longitude else { return }
        fix = Fix(mode: .threeDimensional, coordinate: Coordinate(latitude: latitude, longitude: longitude))
    }

    private func end(_ name: String) {
        let value = Self.trimmed(String(decoding: text, as: UTF8.self))
        switch Self.local(name) {
        case "ele": fix?.altitude = Self.number(value).map(Metres.init)
        // GPX has UTC, even where a program leaves out the zone. The extensions of a point may contain a further time.
        case "time" where fix?.time == nil: fix?.time = ISO8601(value)?.timestamp(in: .utc)
        case "speed": fix?.speed = Self.number(value).map(MetresPerSecond.init)
        case "course": fix?.course = Self.number(value).map(Degrees.init)
        case "sat": fix?.satellites = Int(value)
        case "gpx": isGPX = true
        case "trkpt":
            if let fix, fix.time != nil { fixes.append(fix) } else if fix != nil { undatedCount += 1 }
            fix = nil
        default: break
        }
    }

    /// The name of an element without the prefix of its namespace.
    private static func local(_ name: String) -> Substring? { name.split(separator: ":").last }

    private static func trimmed(_ text: String) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    private static func number(_ text: String) -> Double? {
        Double(trimmed(text)).flatMap { $0.isFinite ? $0 : nil }
    }
}
