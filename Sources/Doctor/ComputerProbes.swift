import Glibc
import Store

extension StoreFacts {
    /// Examines the database without writing to it.
    static func look(at path: String) -> StoreFacts {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        // Check the folder too, because SQLite creates its journal in the folder.
        for place in [folder, path] where place == folder || access(path, F_OK) == 0 {
            guard access(place, R_OK | W_OK) == 0 else {
                let cause = String(cString: strerror(errno))
                return .unusable(
                    "\(place): this user cannot write to this file or folder (\(cause)). Create the folder if it is missing, and make the daemon's user the owner, or set another `store.path`."
                )
            }
        }
        if access(path, F_OK) == 0 {
            do throws(StoreError) {
                try StoreInspection.inspect(path)
            } catch {
                return error.isDamaged ? .damaged(error.description) : .unusable(error.description)
            }
        }
        return .working(path: path, free_bytes: free(on: folder))
    }

    private static func free(on folder: String) -> Int {
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return .max }
        return Int(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize))
    }
}

extension UserFacts {
    /// The members of this group can send requests to the daemon.
    private static let group = "trackerd"

    static var ofThisProgram: UserFacts {
        let id = geteuid()
        let name = getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "user \(id)"
        return UserFacts(name: name, isRoot: id == 0, isInGroup: groups.contains { isOurs($0) })
    }

    private static var groups: [gid_t] {
        let count = getgroups(0, nil)
        var groups = [gid_t](repeating: 0, count: Int(max(0, count)))
        let filled = getgroups(count, &groups)
        return [getegid()] + groups.prefix(Int(max(0, filled)))
    }

    private static func isOurs(_ id: gid_t) -> Bool {
        guard let entry = getgrgid(id) else { return false }
        return String(cString: entry.pointee.gr_name) == group
    }
}
