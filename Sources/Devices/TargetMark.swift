internal import Glibc

/// The target that the upload thread serves, in a file in memory that outlives a crash.
package final class TargetMark: Sendable {
    /// In bytes; longer names are cut.
    private static let length = 256

    private let descriptor: Int32

    /// Without a path, or if the file cannot be opened, it has no effect.
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
