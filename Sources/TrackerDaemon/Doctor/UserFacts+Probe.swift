import Glibc

extension UserFacts {
    /// The group whose members may talk to the daemon.
    private static let group = "trackerd"

    /// Who runs this program.
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
