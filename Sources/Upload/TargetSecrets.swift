internal import Glibc
internal import Quantities

/// Waits for missing secret files, with growing pauses, and watches all secret files for changes.
struct TargetSecrets {
    private static let shortest = Duration.seconds(5)
    private static let longest = Duration.seconds(300)

    private let missing: MissingSecret?
    private let watch: SecretWatch?
    private var pause = Self.shortest
    /// When to try again; nil if no secret is missing, or if only another configuration can help.
    private(set) var due: Instant?

    init(of target: UploadTarget, at now: Instant) {
        missing = target.missing
        watch = SecretWatch(target.access.files)
        due = missing?.files == nil ? nil : now + Self.shortest
    }

    var isMissing: Bool { missing != nil }
    var watches: [Watch] { watch.map { [$0.watch] } ?? [] }

    /// Returns whether a file has changed since the last call.
    func takeChange() -> Bool { watch?.takeChange() == true }

    /// Tries again if `due` has come or `isAsked` is true; returns nil if it did not try, or if secrets are still
    /// missing.
    mutating func retry(at now: Instant, isAsked: Bool) -> UploadTarget? {
        guard let missing, let files = missing.files, let due, isAsked || now >= due else { return nil }
        if files.allSatisfy({ access($0, R_OK) == 0 }), let target = missing.retry() { return target }
        pause = isAsked ? Self.shortest : min(pause * 2, Self.longest)
        self.due = now + pause
        return nil
    }
}

/// Watches secret files by inotify. After a change, trackerd sends at once, even to a target that rejected the user.
final class SecretWatch {
    private let descriptor: Int32
    /// The watch descriptor of each file's folder, and the file's name in it.
    private var names: [(folder: Int32, name: String)] = []

    /// Nil without files, or if the kernel allows no more inotify instances.
    init?(_ files: [String]) {
        guard !files.isEmpty else { return nil }
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        for file in files {
            let cut = file.lastIndex(of: "/")
            let folder = cut.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
            let name = cut.map { String(file[file.index(after: $0)...]) } ?? file
            // An editor replaces the file with another file, so inotify watches the folder.
            let watch = inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO))
            if watch >= 0 { names.append((watch, name)) }
        }
    }

    deinit { close(descriptor) }

    var watch: Watch { Watch(descriptor: descriptor, reads: true, writes: false) }

    /// Returns whether a file has changed since the last call.
    func takeChange() -> Bool {
        var isChanged = false
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return isChanged }
            if contains(buffer.prefix(count)) { isChanged = true }
        }
    }

    private func contains(_ events: ArraySlice<UInt8>) -> Bool {
        var rest = events
        let size = MemoryLayout<inotify_event>.size
        while rest.count >= size {
            let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(size).prefix(Int(event.len)).prefix { $0 != 0 }
            if names.contains(where: { $0.folder == event.wd && $0.name.utf8.elementsEqual(name) }) { return true }
            rest = rest.dropFirst(size + Int(event.len))
        }
        return false
    }
}
