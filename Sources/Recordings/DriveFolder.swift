import Glibc

enum DriveFolder {
    private static let sideFiles = ["beacons.csv", "ignition.csv"]

    /// The folder itself if all its files are about one drive, else its files by name. Two files with fixes, or with samples,
    /// are two drives.
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

    /// In the same order for each run, whatever the locale.
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
