import CLinux
import Glibc

/// Writes the configuration and the password; after a power cut, each file is either complete or unchanged.
package struct ConfigurationFolder {
    package let file: String

    /// Sets the path of the configuration file.
    package init(file: String) { self.file = file }

    private var folder: String { file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "." }

    /// Returns the path of the file that contains the password of the server; `number` distinguishes several servers.
    package func passwordFile(_ number: Int) -> String { "\(folder)/server\(number == 1 ? "" : "\(number)").password" }

    package var isThere: Bool { access(file, F_OK) == 0 }

    /// Why this user cannot write the files; nil if the user can.
    package var fault: String? {
        guard access(folder, W_OK | X_OK) != 0 else { return nil }
        let cause = String(cString: strerror(errno))
        return
            "\(folder) is not writable (\(cause)). Run the command with sudo, create the folder if it is missing, or set another file with --config."
    }

    /// Writes the files, and returns the new name of the former configuration file; nil if there was none.
    ///
    /// If root writes the files, they belong to the folder's owner. After an installation of the package, this owner is
    /// the daemon's user. Only root and the owner of the files may read them.
    package func write(
        _ text: String, password: (text: String, file: String)?
    ) throws(FolderError) -> String? {
        if let password { try write(password.text + "\n", to: password.file, mode: 0o400) }
        return try replace(by: text)
    }

    /// Moves a checked configuration into this folder, for example from the boot partition; returns sentences about
    /// what happened.
    ///
    /// If a power cut interrupts the move, another call completes the move. Root checks the configuration as the owner of
    /// the folder, because the daemon runs as this user. `checkBoard` reads the file of the board.
    ///
    /// - Throws: `ConfigurationError` if the daemon could not run with the file; then nothing changes. `FolderError` if
    ///   trackerd cannot write the configuration.
    package func adopt(
        _ source: String, environment: [String: String], checkBoard: (Configuration) throws -> Void
    ) throws -> [String] {
        let text = try YAMLFile.text(of: source, missing: "Check its name and its permissions.")
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

    /// Writes the configuration file, and returns the new name of the former file; nil if there was none.
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

    /// Writes a file next to the old file, syncs the new file, and gives it the name of the old file.
    private func write(_ text: String, to path: String, mode: mode_t) throws(FolderError) {
        let draft = "\(path).new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FolderError(path: draft) }
        var isWritten = false
        defer { if !isWritten { unlink(draft) } }
        var entry = stat()
        // Only root may change the owner of a file; the files of other users belong to these users.
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

/// A file of the configuration folder could not be written.
package struct FolderError: Error, Sendable, CustomStringConvertible {
    private let path: String
    private let cause: String

    /// Describes the last failure of the system.
    fileprivate init(path: String) {
        self.path = path
        cause = String(cString: strerror(errno))
    }

    package var description: String { "trackerd cannot write \(path) (\(cause)). Check the disk and the permissions." }
}
