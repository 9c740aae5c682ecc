import ArgumentParser
import Glibc
import Store

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the database into one file, even while the daemon is running.",
        discussion: """
            `trackerd restore` replaces the database with the copy. docs/backup.md describes how to make backups, and how to \
            move a tracker to another SD card.
            """)

    @Argument(help: "The file to create, preferably on another disk.")
    var file: String

    @OptionGroup var store: DatabaseOptions

    func run() throws {
        // Other users must not be able to read the positions of the vehicle.
        umask(0o077)
        try FolderOfAnother.check([file])
        let contents = try DatabaseCopy.make(of: try store.source().path, at: file)
        try report([
            "\(file): \(contents.records) \(contents.records == 1 ? "record" : "records"); the last record has the number \(contents.lastSequence)."
        ])
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replaces the database with a backup; stop the daemon first.",
        discussion: """
            The command keeps the former database beside the new one. New records get numbers far above those in the backup, \
            because servers may have records that are newer than the backup.
            """)

    @Argument(help: "The file that `trackerd backup` wrote, or another copy of a database.")
    var file: String

    @OptionGroup var store: DatabaseOptions

    func run() throws {
        // The new files must have the same permissions as files that the daemon makes.
        umask(0o027)
        let path = try store.source().path
        guard access(file, R_OK) == 0 else {
            let cause = String(cString: strerror(errno))
            throw CommandError("\(file): the backup cannot be read (\(cause)). Check the name and the permissions.")
        }
        try FolderOfAnother.check([path])
        let lock = try QueueLock(path: path)
        defer { withExtendedLifetime(lock) {} }
        let restored = try DatabaseCopy.restore(file, to: path)
        let former = restored.aside.map { ["The former database is now \($0)."] } ?? []
        try report(["\(path): the database is restored; number of records: \(restored.contents.records)."] + former)
    }
}

private func report(_ lines: [String]) throws {
    let writer = try LineWriter(nil)
    writer.write(foreign: lines)
    try writer.finish()
}
