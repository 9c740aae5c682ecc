import ArgumentParser
import Export
import Glibc
import Quantities
import Store
import Tracking

extension ExportFormat: ExpressibleByArgument {}

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the recorded tracks as GPX, GeoJSON, CSV or KML.",
        discussion: """
            The command reads the database, even while the daemon is running. Times in the file are in UTC. Without --from, --to and \
            --trip, the export covers the whole database.

            \(ExportFormat.allCases.map { "\($0.rawValue): \($0.summary)." }.joined(separator: "\n"))
            """)

    @Option(help: "The format: \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
    var format: ExportFormat

    @OptionGroup var limits: SpanOptions

    @Option(
        help:
            "Export only this trip: its number in `trackerd trips`, its name, or the ID that you set with `trackerd trip start`."
    )
    var trip: String?

    @Option(
        name: .shortAndLong, help: "The file to write, which replaces an existing file; by default standard output.")
    var output: String?

    @OptionGroup var store: DatabaseOptions

    func run() throws {
        // Other users must not be able to read the positions of the vehicle.
        umask(0o077)
        let source = try store.source()
        var span = try limits.span(in: source.zone)
        if let trip { span.trip = try number(of: trip, in: source) }
        let scan = try History(path: source.path)
        let file = ExportFile(output)
        var writer = format.writer(device: source.device)
        var (text, isRecorded) = ("", false)
        try scan.forEach(in: span) { stored in
            isRecorded = true
            writer.add(stored, to: &text)
            guard text.utf8.count > ExportFile.chunk else { return }
            try file.write(text)
            text = ""
        }
        guard writer.count > 0 else {
            throw ExportError.empty(span, known: try scan.known(), hasRecords: isRecorded, scan.unreadableCount)
        }
        writer.end(&text)
        try file.write(text)
        try file.finish()
        guard scan.unreadableCount > 0 else { return }
        let count = scan.unreadableCount
        LineWriter.writeNote(
            "The export lacks \(count) \(count == 1 ? "record" : "records") that this version of trackerd cannot read.")
    }

    private func number(of name: String, in source: DatabaseOptions.Source) throws -> Int {
        guard let trip = try History(path: source.path).trip(name) else { throw CommandError.unknownTrip(name) }
        return trip.number
    }
}

/// Writes to standard output, or to a file that gets its name when it is complete.
final class ExportFile {
    /// A text that grows beyond this number of bytes is written before more is added.
    static let chunk = 1 << 16

    private let path: String?
    private var writer: LineWriter?

    init(_ path: String?) { self.path = path }

    func write(_ text: String) throws {
        let writer = try writer ?? LineWriter(target)
        self.writer = writer
        writer.write(raw: text)
        try writer.finish()
    }

    func finish() throws {
        guard let path, let target, target != path, rename(target, path) != 0 else { return }
        throw OutputError(path: path, cause: String(cString: strerror(errno)))
    }

    /// The path while the file is incomplete; for a device or a pipe, the final path.
    private var target: String? {
        guard let path else { return nil }
        var status = stat()
        let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        return isSpecial ? path : path + ".part"
    }
}

enum ExportError: Error, CustomStringConvertible {
    case empty(RecordSpan, known: ClosedRange<Timestamp>?, hasRecords: Bool, _ unreadable: Int)

    var description: String {
        switch self {
        case .empty(_, known: nil, _, _):
            "trackerd exported no records: the database is empty. Drive first, or set another database with --database."
        case .empty(_, _, hasRecords: false, let unreadable) where unreadable > 0:
            "trackerd exported no records: this version of trackerd cannot read the records of that period (number of records: \(unreadable)). Use the version that wrote them."
        case .empty(_, _, hasRecords: true, _):
            "trackerd exported no records: no record of that period is a track point. Use csv or geojson, which contain all records."
        case .empty(_, let known?, _, _):
            """
            trackerd exported no records: the database has no records of that period. The database covers \
            \(known.lowerBound) to \(known.upperBound). Choose a period between these times.
            """
        }
    }
}

extension CommandError {
    static func unknownTrip(_ name: String) -> CommandError {
        CommandError(
            "The database has no trip `\(name.printable(limit: 100))`. `trackerd trips` lists the trips with their numbers."
        )
    }
}
