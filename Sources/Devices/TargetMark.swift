internal import Glibc

/// Names the target that the upload thread serves at present, in a file in memory that remains if the program crashes.
package final class TargetMark: Sendable {
    /// The length of the file in bytes; the program cuts longer names.
    private static let length = 256

    private let descriptor: Int32

    /// Opens the file; without a path, or if the file cannot be opened, the mark has no effect.
    init(path: String?) {
        descriptor = path.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644) } ?? -1
    }

    deinit { close() }

    private func close() { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

    /// The name of the target; nil if the upload thread serves none.
    package var name: String? {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let name = bytes.prefix(max(0, count)).prefix { $0 != 0 }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// Stores the name; nil for none.
    package func set(_ name: String?) {
        guard descriptor >= 0 else { return }
        let bytes = Array((name ?? "").utf8.prefix(Self.length - 1))
        pwrite(descriptor, bytes + [UInt8](repeating: 0, count: Self.length - bytes.count), Self.length, 0)
    }
}
