import CLinux
import Glibc

/// Writes the configuration; after a power cut, each file is either complete or unchanged.
package struct ConfigurationFolder {
    package let file: String

    package init(file: String) { self.file = file }

    private var folder: String { file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "." }

    /// `number` counts the servers from 1.
    package func passwordFile(_ number: Int) -> String { "\(folder)/server\(number == 1 ? "" : "\(number)").password" }

    package var isThere: Bool { access(file, F_OK) == 0 }

    package var fault: String? {
        guard access(folder, W_OK | X_OK) != 0 else { return nil }
        let cause = String(cString: strerror(errno))
        return
            "\(folder) is not writable (\(cause)). Run the command with sudo, create the folder if it is missing, or set another file with --config."
    }

    /// Returns the new name of the former file; nil if there was none. Files that root writes belong to the owner of the
    /// folder, which is the daemon's user once the package is installed. Only this user and root may read them.
    package func write(_ text: String, password: (text: String, file: String)?) throws(FolderError) -> String? {
        if let password { try write(password.text + "\n", to: password.file, mode: 0o400) }
        return try replace(by: text)
    }

    /// Moves a file here, for example from the boot partition; another call completes a move that a power cut
    /// interrupted. For root, the file is checked as the folder's owner, because the daemon runs as this user.
    /// Returns sentences about what happened.
    package func adopt(
        _ source: String, environment: [String: String], checkBoard: (Configuration) throws -> Void
    ) throws -> [String] {
        let text = try TextFile.read(source, missing: "Check its name and its permissions.")
        _ = try Configuration.check(
            text, file: source, environment: environment, as: CheckingUser(ownerOfFolderOf: file), inSandbox: true,
            checkBoard: checkBoard)
        var sentences: [String] = []
        if (try? TextFile.read(file)) != text {
            let former = try replace(by: text)
            sentences.append("\(file) now contains the configuration from \(source).")
            if let former { sentences.append("The former configuration is now \(former).") }
        }
        // Every user can read the boot partition, and the file may contain passwords.
        if unlink(source) != 0 {
            let cause = String(cString: strerror(errno))
            sentences.append(
                "trackerd cannot remove \(source) (\(cause)). Remove this file, because it may contain passwords.")
        }
        return sentences
    }

    /// Returns the former file's new name; nil if there was none.
    private func replace(by text: String) throws(FolderError) -> String? {
        var former: String?
        if isThere {
            let names = (1...).lazy.map { "\(file).\($0)" }
            let name = names.first { access($0, F_OK) != 0 } ?? "\(file).old"
            guard link(file, name) == 0 else { throw FolderError(path: name) }
            former = name
        }
        try write(text, to: file, mode: 0o600)
        return former
    }

    /// Writes a file beside the old one; once it is on stable storage, it takes the old one's name.
    private func write(_ text: String, to path: String, mode: mode_t) throws(FolderError) {
        let draft = "\(path).new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FolderError(path: draft) }
        var isWritten = false
        defer { if !isWritten { unlink(draft) } }
        var entry = stat()
        // Only root must change the owner, and only root may: a file that another user writes already belongs to that
        // user.
        let isGiven =
            geteuid() != 0 || stat(folder, &entry) == 0 && fchown(descriptor, entry.st_uid, entry.st_gid) == 0
        let bytes = Array(text.utf8)
        let isComplete = isGiven && Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let error = FolderError(path: draft)
        close(descriptor)
        guard isComplete else { throw error }
        guard rename(draft, path) == 0 else { throw FolderError(path: path) }
        isWritten = true
        // The new name survives a power cut once the folder is on the disk.
        let entries = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if entries >= 0 {
            fsync(entries)
            close(entries)
        }
    }
}

package struct FolderError: Error, Sendable, CustomStringConvertible {
    private let path: String
    private let cause: String

    fileprivate init(path: String) {
        self.path = path
        cause = String(cString: strerror(errno))
    }

    package var description: String { "trackerd cannot write \(path) (\(cause)). Check the disk and the permissions." }
}
