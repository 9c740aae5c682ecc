extension Check {
    /// Whether records can be kept.
    static let database = Check("database", isVital: true) { facts in
        switch facts.store {
        case nil: return []
        case .unusable(let words)?: return [.fault(words, "Until then the daemon records in memory only.")]
        case .damaged(let words)?:
            return [.fault(words, "The daemon sets the file aside when it starts, and carries over what can be read.")]
        case .working(let path, let free_bytes)? where free_bytes < leastFree_bytes:
            return [
                .fault(
                    "\(path) can be written, and the disk has \(free_bytes / 1_000_000) MB left.",
                    "Free space: `sudo journalctl --vacuum-size=50M`, `sudo apt-get clean`.")
            ]
        case .working(let path, let free_bytes)?:
            return [.ok("\(path) can be written, and the disk has \(free_bytes / 1_000_000) MB left.")]
        }
    }

    /// Below this SQLite's journal and a day of records may not fit any more; a record takes less than a kilobyte.
    private static let leastFree_bytes = 20_000_000
}
