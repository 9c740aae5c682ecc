import Glibc
package import Quantities

/// Stores the starts of the program in this boot, each with the target that the upload thread served when the program ended.
///
/// A start remains stored if the program crashes, hangs or is killed.
///
/// The file is in the service's folder in memory. A start therefore does not wear the card, and the file is missing
/// after a boot.
package struct StartHistory {
    /// The maximum number of former starts in the file.
    private static let mostKept = 19

    private let path: String?
    private let boot: String
    /// The target that the upload thread serves at present.
    package let target: TargetMark

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
        target = TargetMark(path: folder.map { $0 + "/served-target" })
    }

    /// The starts in this boot after which the program has not ended properly.
    package var unended: [Instant] { starts.map(\.at) }

    /// For each of the `unended` starts, the target that was served at the end; nil for none.
    package var targets: [String?] { starts.dropLast().map(\.target) + (unended.isEmpty ? [] : [target.name]) }

    private var starts: [(at: Instant, target: String?)] {
        guard let path else { return [] }
        return Pseudofile.text(of: path).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 1)
            let words = parts.first?.split(separator: " ") ?? []
            guard words.count == 2, words[0] == boot, let seconds = Int64(words[1]), seconds >= 0 else { return nil }
            return (.boot + .seconds(seconds), parts.count > 1 ? String(parts[1]) : nil)
        }
    }

    /// Adds a start; `unended` contains the start until `replace(by:targets:)` removes it.
    package func note(_ start: Instant) {
        replace(by: unended.suffix(Self.mostKept) + [start], targets: targets.suffix(Self.mostKept))
        target.set(nil)
    }

    /// Replaces the history; the starts without an entry in `targets` have none.
    ///
    /// If the write fails, the tracker still works. Without a history, it starts as usual.
    package func replace(by starts: [Instant], targets: [String?] = []) {
        guard let path else { return }
        let lines = starts.enumerated().map { index, start in
            let target = (index < targets.count ? targets[index] : nil).map { "\t\($0)" } ?? ""
            return "\(boot) \(Int64((start - .boot).inSeconds))\(target)\n"
        }
        if starts.isEmpty { unlink(path) } else { _ = Pseudofile.replace(path, by: lines.joined()) }
    }
}
