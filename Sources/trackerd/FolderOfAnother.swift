import FoundationEssentials
import Glibc

/// The program runs as root, and would write into the folder of another user.
///
/// The other user could redirect the file with a link.
struct FolderOfAnother: Error, Hashable, CustomStringConvertible {
    let folder: String
    let owner: String

    /// Throws an error if this program runs as root and another user can change one of these paths or a folder above it.
    static func check(_ files: [String]) throws(FolderOfAnother) {
        guard geteuid() == 0, isRootOfTheSystem else { return }
        for file in files {
            for path in [file] + folders(above: file) {
                guard let owner = stranger(at: path) else { continue }
                throw FolderOfAnother(folder: path, owner: owner)
            }
        }
    }

    /// Returns the user besides root who can change the files at a path: the owner, or other users with write permission.
    ///
    /// Returns nil if only root can change the files, if the path does not exist, or if it is neither a folder nor a
    /// link. In a sticky folder such as /tmp, users cannot change the files of other users.
    private static func stranger(at path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFLNK || kind == S_IFDIR else { return nil }
        guard status.st_uid == 0 else {
            return getpwuid(status.st_uid).map { "the user \(String(cString: $0.pointee.pw_name))" }
                ?? "the user \(status.st_uid)"
        }
        let isOpen = kind == S_IFDIR && status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
        return isOpen ? "other users" : nil
    }

    /// Whether root of this process has the rights of the system's root.
    ///
    /// Root of a user namespace has only the rights of the user who created the namespace.
    private static var isRootOfTheSystem: Bool {
        let map = (try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)) ?? "0 0"
        return map.split(whereSeparator: \.isWhitespace).prefix(2).allSatisfy { $0 == "0" }
    }

    /// Returns the folder of a file, and all folders that contain this folder.
    private static func folders(above file: String) -> [String] {
        var folders: [String] = []
        var path = file
        while path != "/", path != "." {
            path = parent(of: path)
            folders.append(path)
        }
        return folders
    }

    private static func parent(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    var description: String {
        """
        \(folder): \(owner) can change this file or folder, and could make root write to any file. Choose another \
        path, run trackerd as the user who owns it, or make root the owner (`chown root`, `chmod go-w`).
        """
    }
}
