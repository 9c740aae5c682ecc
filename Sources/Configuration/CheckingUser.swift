import Glibc

/// Root checks a configuration as this user, because the daemon reads the files as this user.
package struct CheckingUser: Sendable {
    /// The user that the Debian package creates.
    package static let service = "trackerd"

    private let user: uid_t
    private let group: gid_t

    /// Nil if this program is not root, or if the folder is missing or belongs to root.
    package init?(ownerOfFolderOf file: String) {
        let folder = WrittenPath.folder(of: file)
        var entry = stat()
        guard geteuid() == 0, stat(folder, &entry) == 0, entry.st_uid != 0 else { return nil }
        self.init(user: entry.st_uid, group: entry.st_gid)
    }

    /// The service's user, or without one the owner of the folder; nil if this program's own user checks.
    package init?(ofServiceWith configuration: String) {
        guard geteuid() == 0, let entry = getpwnam(Self.service)?.pointee else {
            self.init(ownerOfFolderOf: configuration)
            return
        }
        self.init(user: entry.pw_uid, group: entry.pw_gid)
    }

    private init(user: uid_t, group: gid_t) { (self.user, self.group) = (user, group) }

    /// Nil stands for the user of this program.
    package static func act<Value>(as user: CheckingUser?, _ body: () throws -> Value) throws -> Value {
        guard let user else { return try body() }
        try user.become()
        defer { Self.becomeRoot() }
        return try body()
    }

    private func become() throws(CheckingUserError) {
        let name = getpwuid(user).map { String(cString: $0.pointee.pw_name) }
        // Set the user's own groups; otherwise those of root would apply.
        let hasGroups = if let name { initgroups(name, group) == 0 } else { setgroups(1, [group]) == 0 }
        guard hasGroups, setegid(group) == 0, seteuid(user) == 0 else {
            let cause = String(cString: strerror(errno))
            Self.becomeRoot()
            throw CheckingUserError(user: name ?? "\(user)", cause: cause)
        }
    }

    private static func becomeRoot() {
        seteuid(0)
        setegid(0)
        setgroups(0, nil)
    }
}

package struct CheckingUserError: Error, Sendable, CustomStringConvertible {
    let user: String
    let cause: String

    package var description: String {
        "trackerd cannot check the configuration as the user \(user) (\(cause)). Run the command as this user."
    }
}
