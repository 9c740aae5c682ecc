import FoundationEssentials
import GRDB
import Glibc

/// Puts a new file in the place of a damaged one, with the state, the cursors and the last number. Recording and
/// delivery therefore continue at once; `SalvageImport` copies the records later.
enum FileReplacement {
    /// Returns the new name of the old file. `state` and `lastSequence` are those of the program, if it has any;
    /// `unfinished` are earlier files with an unfinished salvage.
    static func replace(
        _ path: String, state: StateTexts?, lastSequence: Int64, unfinished: [SalvageImport.Task]
    ) throws(StoreError) -> String {
        do {
            let fresh = path + ".new"
            for suffix in ["", "-wal", "-shm"] { unlink(fresh + suffix) }
            let aside = path + DamagedFile.mark + "\((DamagedFile.numbers(of: path).last ?? 0) + 1)"
            try fill(fresh, from: path, aside: aside, state: state, lastSequence: lastSequence, unfinished: unfinished)
            guard rename(path, aside) == 0, putInPlace(fresh, at: path, after: aside) else {
                throw FileSystem.error(.SQLITE_IOERR)
            }
            return aside
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }

    /// Completes a replacement that a power cut has interrupted.
    static func completeReplacement(at path: String) {
        guard access(path, F_OK) != 0, access(path + ".new", F_OK) == 0 else { return }
        _ = putInPlace(
            path + ".new", at: path, after: path + DamagedFile.mark + "\(DamagedFile.numbers(of: path).last ?? 1)")
    }

    /// Moves the log of the old file away too, because SQLite would use it as that of the new file.
    private static func putInPlace(_ fresh: String, at path: String, after aside: String) -> Bool {
        for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
        guard rename(fresh, path) == 0 else { return false }
        FileSystem.syncFolder(of: path)
        return true
    }

    private static func fill(
        _ fresh: String, from path: String, aside: String, state: StateTexts?, lastSequence: Int64,
        unfinished: [SalvageImport.Task]
    ) throws {
        let queue = try Database.open(fresh, .synced, keepingLog: false)
        defer { Database.close(queue) }
        let tables = try queue.read(CopiedTable.all)
        // At the start the program has no state yet. The salvage therefore reads all pages.
        let isAll = state == nil
        var found: Salvage?
        if let images = PageImages(path: path) { found = Salvage(images, copying: tables, isCancelled: { !isAll }) }
        let last = max(lastSequence, found?.lastSequence ?? 0)
        try queue.write { database in
            try StoredState.write(state ?? found?.state ?? [:], into: database)
            try found?.copied.insert(into: database)
            try StoredState.write(lastSequence: last, into: database)
            var tasks = unfinished
            for (path, through) in found?.unfinished ?? [] where !tasks.contains(where: { $0.path == path }) {
                tasks.append(SalvageImport.Task(path: path, through: through))
            }
            for task in tasks + [SalvageImport.Task(path: aside, through: 0)] {
                try database.execute(
                    sql: "INSERT INTO salvage (path, through) VALUES (?, ?)", arguments: [task.path, task.through])
            }
        }
        // Move all data from the log into the new file itself, because only the file, not its log, is renamed later.
        _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try queue.close()
    }
}

extension StoredRow.Value {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}
