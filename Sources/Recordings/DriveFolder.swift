import Glibc

/// Finds the recorded drives in a folder.
enum DriveFolder {
    /// The names of the files that may accompany a drive.
    private static let sideFiles = ["beacons.csv", "ignition.csv"]

    /// Returns the folder itself if all its files are about one drive; otherwise returns its files, in the order of their names.
    ///
    /// The function treats two files with fixes, or two files with samples, as two drives. If a folder with two drives
    /// also contains a file of beacons or of the ignition, the function throws an error, because that file can belong
    /// to only one of the drives.
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

    /// Returns the names of the recordings in a folder in the same order for each run; the order does not depend on the
    /// locale.
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

    private static func isSideFile(_ name: String) -> Bool {
        sideFiles.contains(name.hasSuffix(".gz") ? String(name.dropLast(3)) : name)
    }
}
