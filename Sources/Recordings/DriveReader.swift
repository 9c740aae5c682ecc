import CZlib
import Glibc

package enum DriveReader {
    /// A folder may include `beacons.csv` and `ignition.csv`.
    package static func read(_ path: String) throws(DriveError) -> Drive {
        let drive = try isFolder(path) ? readFolder(path) : readFile(path)
        guard !drive.samples.isEmpty || !drive.fixes.isEmpty || !drive.others.isEmpty else { throw .empty(file: path) }
        guard drive.length <= longest else { throw .tooLong(file: path) }
        return drive
    }

    /// One path a line.
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
        let name = file.hasSuffix(".gz") ? String(file.dropLast(3)) : file
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
    /// After decompression; an hour with 100 samples a second has about 30 MB.
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
                // Only gzclose reports that the end of the compressed data is missing.
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
