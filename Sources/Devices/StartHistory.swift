import Glibc
package import Quantities

/// Stores the starts of the program in this boot; a start remains stored if the program crashes, hangs or is killed.
///
/// The file is in the service's folder in memory. A start therefore does not wear the card, and the file is missing
/// after a boot.
package struct StartHistory {
    /// The maximum number of former starts in the file.
    private static let mostKept = 19

    private let path: String?
    private let boot: String

    /// Uses the folder that systemd has made for the service (systemd.exec(5), `RuntimeDirectory=`).
    ///
    /// If this folder is missing, no service manager restarts the program after a crash, and the history remains empty.
    package init(boot: String) {
        let folders = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) } ?? ""
        self.init(folder: folders.split(separator: ":").first.map(String.init), boot: boot)
    }

    init(folder: String?, boot: String) {
        path = folder.map { $0 + "/unended-starts" }
        self.boot = boot
    }

    /// The starts in this boot after which the program has not ended properly.
    package var unended: [Instant] {
        guard let path else { return [] }
        return Pseudofile.text(of: path).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == boot, let seconds = Int64(words[1]), seconds >= 0 else { return nil }
            return .boot + .seconds(seconds)
        }
    }

    /// Adds a start; `unended` contains the start until `replace(by:)` removes it.
    package func note(_ start: Instant) { replace(by: unended.suffix(Self.mostKept) + [start]) }

    /// Replaces the history.
    ///
    /// If the write fails, the tracker still works. Without a history, it starts as usual.
    package func replace(by starts: [Instant]) {
        guard let path else { return }
        let lines = starts.map { "\(boot) \(Int64(($0 - .boot).inSeconds))\n" }
        if starts.isEmpty { unlink(path) } else { _ = Pseudofile.replace(path, by: lines.joined()) }
    }
}
