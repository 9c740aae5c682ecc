internal import CLinux
internal import Glibc
internal import Synchronization

/// Rings at the loop, from any thread, when the queue needs its attention: a damaged page was met, or a salvage has ended.
package final class QueueAlarm: Sendable {
    /// Becomes readable when it rings; -1 when the system had no descriptor left, and then it is looked at with each commit.
    package let descriptor = clinux_counter_open()
    /// The file in which damage was met; 0 for none.
    private let damaged = Atomic<UInt64>(0)

    /// Makes an alarm that is silent.
    package init() {}

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reports damage in the file of that number, which tells an old file from the one that has replaced it.
    func reportDamage(in file: FileNumber) {
        damaged.store(file.value, ordering: .releasing)
        ring()
    }

    func ring() {
        if descriptor >= 0 { clinux_counter_raise(descriptor) }
    }

    /// Silences it; the file in which damage was met since the last time, if any.
    func take() -> FileNumber? {
        if descriptor >= 0 { clinux_counter_clear(descriptor) }
        let file = damaged.exchange(0, ordering: .acquiring)
        return file == 0 ? nil : FileNumber(value: file)
    }
}

/// The number by which the file system knows a file (its inode): another file under the same name has another one.
struct FileNumber: Sendable, Hashable {
    fileprivate(set) var value: UInt64

    fileprivate init(value: UInt64) { self.value = value }

    /// The number of the file at `path`; `nil` if there is none.
    init?(of path: String) {
        var entry = stat()
        guard stat(path, &entry) == 0 else { return nil }
        value = UInt64(entry.st_ino)
    }
}
