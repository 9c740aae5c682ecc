import Configuration
import FoundationEssentials
import Glibc

/// The program is root and would write into a folder of another user, who could redirect the file with a link.
struct FolderOfAnother: Error, Hashable, CustomStringConvertible {
    let folder: String
    let owner: String

    /// Throws if another user can replace one of the files or a folder above it.
    static func check(_ files: [String]) throws(FolderOfAnother) {
        guard geteuid() == 0, isRootOfTheSystem else { return }
        for file in files {
            for path in [file] + folders(above: file) {
                guard let owner = stranger(at: path) else { continue }
                throw FolderOfAnother(folder: path, owner: owner)
            }
        }
    }

    /// Returns the owner, or other users with write permission; nil if only root can change the files, if the path
    /// does not exist, or if it is neither a folder nor a link. In a sticky folder such as /tmp, users cannot change
    /// the files of others.
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

    /// False for root of a user namespace, who has only the rights of the user who made the namespace.
    private static var isRootOfTheSystem: Bool {
        let map = (try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)) ?? "0 0"
        return map.split(whereSeparator: \.isWhitespace).prefix(2).allSatisfy { $0 == "0" }
    }

    private static func folders(above file: String) -> [String] {
        var folders: [String] = []
        var path = file
        while path != "/", path != "." {
            path = WrittenPath.folder(of: path)
            folders.append(path)
        }
        return folders
    }

    var description: String {
        """
        \(folder): \(owner) can change this file or folder, and could make root write to any file. Choose another \
        path, run trackerd as the user who owns it, or make root the owner (`chown root`, `chmod go-w`).
        """
    }
}

/// A daemon that root starts goes on as the user of the service, who then owns the files.
enum DroppedRoot {
    private static let user = CheckingUser.service

    /// Returns whether the user has changed; without a user of the service, the program stays root. setuid(2) also
    /// clears all capabilities, and prevents core dumps.
    static func drop() throws(CommandError) -> Bool {
        guard geteuid() == 0, let entry = getpwnam(user)?.pointee else { return false }
        guard initgroups(user, entry.pw_gid) == 0, setgid(entry.pw_gid) == 0, setuid(entry.pw_uid) == 0,
            // The process must not be able to become root again.
            setuid(0) != 0
        else {
            let cause = String(cString: strerror(errno))
            throw CommandError(
                "trackerd cannot continue as the user \(user) (\(cause)). Start the service, or run the command as that user."
            )
        }
        return true
    }

    static let note =
        "trackerd continues as the user \(user), because root started it. To continue as root, add `--allow-root`."
}
