internal import Glibc
package import Quantities

/// The starts of this boot that had no proper end, each with the target that the upload thread served when the program
/// ended. They survive a crash, a hang or a kill. The file is in the service's folder in memory, so it does not wear
/// the card, and is missing after a boot.
package struct StartHistory {
    private static let mostKept = 19

    private let path: String?
    private let boot: String
    package let target: TargetMark

    /// Uses the folder that systemd made for the service (systemd.exec(5), `RuntimeDirectory=`). Without this folder no
    /// service manager restarts the program after a crash, and the history stays empty.
    package init(boot: String) {
        let folders = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) } ?? ""
        self.init(folder: folders.split(separator: ":").first.map(String.init), boot: boot)
    }

    init(folder: String?, boot: String) {
        path = folder.map { $0 + "/unended-starts" }
        self.boot = boot
        target = TargetMark(path: folder.map { $0 + "/served-target" })
    }

    package var unended: [Instant] { starts.map(\.at) }

    /// The target of each of the `unended` starts; nil if none was served.
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

    /// `unended` contains the start until `replace(by:targets:)` removes it.
    package func note(_ start: Instant) {
        replace(by: unended.suffix(Self.mostKept) + [start], targets: targets.suffix(Self.mostKept))
        target.set(nil)
    }

    /// A start without an entry in `targets` has no target. If the write fails, the file stays as it was.
    package func replace(by starts: [Instant], targets: [String?] = []) {
        guard let path else { return }
        let lines = starts.enumerated().map { index, start in
            let target = (index < targets.count ? targets[index] : nil).map { "\t\($0)" } ?? ""
            return "\(boot) \(Int64((start - .boot).inSeconds))\(target)\n"
        }
        if starts.isEmpty { unlink(path) } else { _ = Pseudofile.replace(path, by: lines.joined()) }
    }
}

/// The target that the upload thread serves, in a file in memory that outlives a crash.
package final class TargetMark: Sendable {
    /// The size of the file in bytes, with at least one zero at the end; longer names are cut.
    private static let length = 256

    private let descriptor: Int32

    /// The mark has no effect without a path, or if the file cannot be opened.
    init(path: String?) {
        descriptor = path.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644) } ?? -1
    }

    deinit { close() }

    private func close() { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

    package var name: String? {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let name = bytes.prefix(max(0, count)).prefix { $0 != 0 }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    package func set(_ name: String?) {
        guard descriptor >= 0 else { return }
        let bytes = Array((name ?? "").utf8.prefix(Self.length - 1))
        pwrite(descriptor, bytes + [UInt8](repeating: 0, count: Self.length - bytes.count), Self.length, 0)
    }
}
