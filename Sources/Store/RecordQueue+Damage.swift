import Glibc

extension RecordQueue {
    /// Opens the file; one that is damaged is set aside under another name, never deleted, and a new one is begun.
    ///
    /// Returns the error that told of the damage, and the name under which the old file now lies.
    package static func open(
        path: String, grouping: Grouping
    ) throws(StoreError) -> (queue: RecordQueue, setAside: (error: StoreError, path: String)?) {
        do {
            return (try RecordQueue(path: path, grouping: grouping), nil)
        } catch {
            guard error.isDamaged, let other = moveAside(path) else { throw error }
            return (try RecordQueue(path: path, grouping: grouping), (error, other))
        }
    }

    private static func moveAside(_ path: String) -> String? {
        let other = (1...1000).map { "\(path).damaged-\($0)" }.first { (name: String) in access(name, F_OK) != 0 }
        guard let other, rename(path, other) == 0 else { return nil }
        // The log belongs to the file; without it the last commits could not be salvaged.
        for suffix in ["-wal", "-shm"] { rename(path + suffix, other + suffix) }
        return other
    }
}
