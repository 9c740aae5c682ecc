import CZlib
import FoundationEssentials
import Glibc
import Quantities
import Tracking

package enum DriveReader {
    /// A folder may include `beacons.csv` and `ignition.csv`.
    package static func read(_ path: String) throws(DriveError) -> Drive {
        let drive = try isFolder(path) ? readFolder(path) : readFile(path)
        guard !drive.samples.isEmpty || !drive.fixes.isEmpty || !drive.others.isEmpty else { throw .empty(file: path) }
        guard drive.length <= longest else { throw .tooLong(file: path) }
        return drive
    }

    /// The list has one path per line.
    package static func readList(_ path: String) throws(DriveError) -> [String] {
        let paths = String(decoding: try GzipFile.read(path), as: UTF8.self).split(whereSeparator: \.isNewline)
        guard !paths.isEmpty else { throw .empty(file: path) }
        return paths.map(String.init)
    }

    package static func drives(at path: String) throws(DriveError) -> [String] {
        isFolder(path) ? try DriveFolder.drives(in: path) : [path]
    }

    static func isRecording(_ name: String) -> Bool { reader(for: name) != nil }

    private static let longest = Duration.seconds(366 * 86_400)

    static func readFile(_ path: String) throws(DriveError) -> Drive {
        guard let reader = reader(for: path.split(separator: "/").last.map(String.init) ?? path) else {
            throw .unknownKind(file: path)
        }
        return try reader(GzipFile.read(path), path)
    }

    private static func reader(for file: String) -> (([UInt8], String) throws(DriveError) -> Drive)? {
        let name = plainName(file)
        return switch name {
        case "beacons.csv": SideFiles.beacons
        case "ignition.csv": SideFiles.ignition
        case _ where name.hasSuffix(".csv"): CSVDrive.read
        case _ where name.hasSuffix(".drive"): TrackerRecording.read
        case _ where name.hasSuffix(".json"): GpsdCapture.read
        case _ where name.hasSuffix(".gpx"): GPXDrive.read
        case _ where name.hasSuffix(".nmea") || name.hasSuffix(".log"): ReceiverLog.read
        default: nil
        }
    }

    /// The name in lower case, without the ending of a compressed file.
    static func plainName(_ file: String) -> String {
        let name = file.lowercased()
        return name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    }

    private static func readFolder(_ path: String) throws(DriveError) -> Drive {
        guard try DriveFolder.drives(in: path) == [path] else { throw .severalRecordings(folder: path) }
        var whole = Drive()
        for name in try DriveFolder.files(in: path) { whole.merge(try readFile(path + "/" + name)) }
        return whole
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

enum GzipFile {
    /// The limit in bytes after decompression; an hour with 100 samples a second has about 30 MB.
    static let largest = 2 << 30

    /// Only tests set another `limit`.
    static func read(_ path: String, limit: Int = largest) throws(DriveError) -> [UInt8] {
        errno = 0
        guard let file = gzopen(path, "rb") else { throw .unreadable(file: path, cause: lastError()) }
        var isOpen = true
        defer { if isOpen { gzclose(file) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = gzread(file, &chunk, UInt32(chunk.count))
            guard count >= 0 else { throw .unreadable(file: path, cause: lastError()) }
            guard count > 0 else {
                isOpen = false
                // Only gzclose reports that the end of the data is missing.
                guard gzclose(file) == Z_OK else {
                    throw .unreadable(file: path, cause: "the compressed data ends too early")
                }
                return bytes
            }
            bytes += chunk[..<Int(count)]
            guard bytes.count <= limit else { throw .tooLarge(file: path, limit: limit) }
        }
    }

    private static func lastError() -> String { errno == 0 ? "damaged" : String(cString: strerror(errno)) }
}

enum DriveFolder {
    private static let sideFiles = ["beacons.csv", "ignition.csv"]

    /// Returns the folder itself if its files are about one drive, and otherwise each recording: two files with fixes, or
    /// two with samples, are two drives.
    static func drives(in path: String) throws(DriveError) -> [String] {
        let names = try files(in: path)
        let recordings = names.filter { !isSideFile($0) }
        guard recordings.count > 1 else { return [path] }
        var (withFixes, withSamples) = ([String](), [String]())
        for name in recordings {
            let drive = try DriveReader.readFile("\(path)/\(name)")
            if !drive.fixes.isEmpty { withFixes.append(name) }
            if !drive.samples.isEmpty { withSamples.append(name) }
        }
        guard withFixes.count > 1 || withSamples.count > 1 else { return [path] }
        if let side = names.first(where: isSideFile) {
            let drives = withFixes.count > 1 ? withFixes : withSamples
            throw .severalDrives(folder: path, first: drives[0], second: drives[1], side: side)
        }
        return recordings.map { "\(path)/\($0)" }
    }

    /// The order is the same for each run, whatever the locale.
    static func files(in path: String) throws(DriveError) -> [String] {
        guard let folder = opendir(path) else { throw .unreadable(file: path, cause: String(cString: strerror(errno))) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter(DriveReader.isRecording).sorted()
    }

    private static func isSideFile(_ name: String) -> Bool { sideFiles.contains(DriveReader.plainName(name)) }
}

/// A file by `trackerd record`: the first line describes the tracker, and each further line is a sensor's report.
enum TrackerRecording {
    static func read(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        let decoder = JSONDecoder()
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst(),
            let header = try? decoder.decode(RecordingHeader.self, from: Data(first))
        else {
            throw .malformed(file: file, line: 1, problem: "the line of `trackerd record` about the tracker is missing")
        }
        guard header.recording == RecordingHeader.version else {
            throw .malformed(
                file: file, line: 1,
                problem: "a newer version of trackerd has recorded this; replay it with that version")
        }
        // The recording may have ended within a line, so what follows the last line feed is ignored.
        lines = lines.dropLast()
        var drive = Drive()
        drive.opening = header
        if header.isIgnitionOn { drive.others.append(.init(.zero, .ignition(isOn: true))) }
        var latest = 0.0
        for (index, line) in lines.enumerated() {
            guard let event = try? decoder.decode(RecordedEvent.self, from: Data(line)) else {
                throw .malformed(file: file, line: index + 2, problem: "this is not a line of a recording")
            }
            guard event.t_s >= latest, event.t_s < 1e9 else {
                throw .malformed(file: file, line: index + 2, problem: "`t_s` decreases or is too large")
            }
            latest = event.t_s
            let time = Duration(inSeconds: event.t_s)
            if let fix = event.fix { drive.fixes.append(.init(time, fix)) }
            if let event = event.event { drive.others.append(.init(time, event)) }
        }
        return drive
    }
}
