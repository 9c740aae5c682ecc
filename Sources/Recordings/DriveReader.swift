import CZlib
import Glibc

/// Reads recorded drives; the file name decides the format.
package enum DriveReader {
    /// Reads a file, or a folder of files about one drive, which may include `beacons.csv` and `ignition.csv`.
    package static func read(_ path: String) throws(DriveError) -> Drive {
        let drive = try isFolder(path) ? readFolder(path) : readFile(path)
        guard !drive.samples.isEmpty || !drive.fixes.isEmpty || !drive.others.isEmpty else { throw .empty(file: path) }
        guard drive.length <= longest else { throw .tooLong(file: path) }
        return drive
    }

    /// Reads a list of drives, one path per line.
    package static func readList(_ path: String) throws(DriveError) -> [String] {
        let paths = String(decoding: try GzipFile.read(path), as: UTF8.self).split(whereSeparator: \.isNewline)
        guard !paths.isEmpty else { throw .empty(file: path) }
        return paths.map(String.init)
    }

    private static let longest = Duration.seconds(366 * 86_400)

    private static func readFile(_ path: String) throws(DriveError) -> Drive {
        let plain = path.hasSuffix(".gz") ? String(path.dropLast(3)) : path
        let name = plain.split(separator: "/").last.map(String.init) ?? plain
        let reader: (([UInt8], String) throws(DriveError) -> Drive)? =
            switch name {
            case "beacons.csv": SideFiles.beacons
            case "ignition.csv": SideFiles.ignition
            case _ where name.hasSuffix(".csv"): CSVDrive.read
            case _ where name.hasSuffix(".json"): GpsdCapture.read
            case _ where name.hasSuffix(".gpx"): GPXDrive.read
            default: nil
            }
        guard let reader else { throw .unknownKind(file: path) }
        return try reader(GzipFile.read(path), path)
    }

    private static func readFolder(_ path: String) throws(DriveError) -> Drive {
        var whole = Drive()
        let known = [".csv", ".csv.gz", ".json", ".json.gz", ".gpx", ".gpx.gz"]
        for name in try names(in: path) where known.contains(where: name.hasSuffix) {
            whole.merge(try readFile(path + "/" + name))
        }
        return whole
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Lists a folder in the order of bytes, so that each run reads the files in the same order.
    private static func names(in path: String) throws(DriveError) -> [String] {
        guard let folder = opendir(path) else { throw .unreadable(file: path, cause: String(cString: strerror(errno))) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }
}

/// Reads plain and gzipped files.
enum GzipFile {
    static func read(_ path: String) throws(DriveError) -> [UInt8] {
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
                // Only gzclose reports that the compressed data ended too early.
                guard gzclose(file) == Z_OK else {
                    throw .unreadable(file: path, cause: "the compressed data ends too early")
                }
                return bytes
            }
            bytes += chunk[..<Int(count)]
        }
    }

    private static func lastError() -> String { errno == 0 ? "damaged" : String(cString: strerror(errno)) }
}

/// A recorded drive could not be read.
package enum DriveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is missing or not readable; `cause` is the system's text for the error.
    case unreadable(file: String, cause: String)
    /// The name has no known extension.
    case unknownKind(file: String)
    /// A line does not have the expected content.
    case malformed(file: String, line: Int, problem: String)
    /// The recording spans more than a year, so one of its dates is wrong.
    case tooLong(file: String)
    /// The file has nothing to replay.
    case empty(file: String)

    /// One sentence about what happened, and one sentence about what to do.
    package var description: String {
        switch self {
        case .unreadable(let file, let cause):
            "\(file): the drive could not be read (\(cause)). Check the name and the permissions."
        case .unknownKind(let file):
            "\(file): not a known kind of drive. Use a .csv, .gpx or .json file (gpsd's JSON), plain or gzipped, or a folder of them."
        case .malformed(let file, let line, let problem):
            "\(file):\(line): \(problem)."
        case .tooLong(let file):
            "\(file): the drive spans more than a year. Remove the reports with a wrong date."
        case .empty(let file):
            "\(file): the drive has no fixes and no samples. Use a recorded drive; docs/replay.md lists the columns."
        }
    }
}
