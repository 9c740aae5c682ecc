import Calendar
import Foundation
import FoundationXML
import Quantities
import Tracking

/// Reads the track points of a GPX file.
enum GPXDrive {
    static func read(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        let reader = PointReader()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = reader
        // The parser does not mind a file that ends too early.
        guard parser.parse(), reader.isComplete else {
            let problem = "the XML is damaged, or cut off, at column \(parser.columnNumber)"
            throw .malformed(file: file, line: parser.lineNumber, problem: problem)
        }
        var drive = Drive()
        guard let start = reader.fixes.first?.time else { throw .empty(file: file) }
        drive.fixes = reader.fixes.compactMap { fix in
            fix.time.flatMap { $0 >= start ? .init($0 - start, fix) : nil }
        }
        drive.fixes.sort { $0.time < $1.time }
        return drive
    }
}

private final class PointReader: NSObject, XMLParserDelegate {
    private(set) var fixes: [Fix] = []
    private(set) var isComplete = false
    private var fix: Fix?
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        guard name == "trkpt", let latitude = attributes["lat"].flatMap(Double.init),
            let longitude = attributes["lon"].flatMap(Double.init)
        else { return }
        fix = Fix(mode: .threeDimensional, coordinate: Coordinate(latitude: latitude, longitude: longitude))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let number = Double(value).flatMap { $0.isFinite ? $0 : nil }
        switch name.split(separator: ":").last {
        case "ele": fix?.altitude = number.map(Metres.init)
        case "time": fix?.time = ISO8601(value)?.timestamp()
        case "speed": fix?.speed = number.map(MetresPerSecond.init)
        case "course": fix?.course = number.map(Degrees.init)
        case "sat": fix?.satellites = Int(value)
        case "gpx": isComplete = true
        case "trkpt":
            if let fix, fix.time != nil { fixes.append(fix) }
            fix = nil
        default: break
        }
    }
}
