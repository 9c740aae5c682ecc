import Glibc

/// Root is to write into a folder of another user, who could let a link there lead anywhere.
struct FolderOfAnother: Error, Hashable, CustomStringConvertible {
    let folder: String
    let owner: String

    /// Throws if this program runs as root, and the folder of one of these files belongs to another user.
    static func check(_ files: [String]) throws(FolderOfAnother) {
        guard geteuid() == 0 else { return }
        for file in files {
            var status = stat()
            let folder = parent(of: file)
            guard stat(folder, &status) == 0, status.st_uid != 0 else { continue }
            let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) }
            throw FolderOfAnother(folder: folder, owner: owner ?? "\(status.st_uid)")
        }
    }

    private static func parent(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    var description: String {
        """
        \(folder): belongs to user \(owner), who could make root write to any file through it. Start the service with \
        `systemctl start trackerd`, or run `sudo -u \(owner) trackerd run`; or give the folder to root.
        """
    }
}
