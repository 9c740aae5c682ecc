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
        // The earliest point counts, because servers export points in the order in which they arrived.
        guard let start = fixes.compactMap(\.time).min() else {
            throw undatedCount > 0 ? .undated(file: file, points: undatedCount) : .empty(file: file)
        }
        var drive = Drive()
        drive.fixes = fixes.compactMap { fix in fix.time.map { .init($0 - start, fix) } }
        drive.fixes.sort { $0.time < $1.time }
        return drive
    }

    /// The error's `cause` is nil at the end of the document.
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
        guard name == "trkpt" else { return }
        var (latitude, longitude): (Double?, Double?)
        var index = 0
        while let key = attributes[index], let value = attributes[index + 1] {
            switch String(cString: key) {
            case "lat": latitude = Double(String(cString: value))
            case "lon": longitude = Double(String(cString: value))
            default: break
            }
            index += 2
        }
        guard let latitude, let longitude else { return }
        fix = Fix(mode: .threeDimensional, coordinate: Coordinate(latitude: latitude, longitude: longitude))
    }

    private func end(_ name: String) {
        switch name.split(separator: ":").last {
        case "ele": fix?.altitude = number.map(Metres.init)
        case "time": fix?.time = ISO8601(value)?.timestamp()
        case "speed": fix?.speed = number.map(MetresPerSecond.init)
        case "course": fix?.course = number.map(Degrees.init)
        case "sat": fix?.satellites = Int(value)
        case "gpx": isGPX = true
        case "trkpt":
            if let fix, fix.time != nil { fixes.append(fix) } else if fix != nil { undatedCount += 1 }
            fix = nil
        default: break
        }
    }

    /// The text since the last element began, without white space at both ends.
    private var value: String {
        var rest = Substring(decoding: text, as: UTF8.self).drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    private var number: Double? {
        Double(value).flatMap { $0.isFinite ? $0 : nil }
    }
}
