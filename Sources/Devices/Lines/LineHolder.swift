import Glibc

/// A program that holds a line.
package struct LineHolder: Sendable, Hashable, CustomStringConvertible {
    /// Its name.
    package var name: String
    /// The number of its process.
    package var process: Int

    /// Such as `gpiomon (process 812)`.
    package var description: String { "\(name) (process \(process))" }

    /// Looks through the processes for the one that holds a line of a chip; those of other users are hidden from most users.
    ///
    /// Of a descriptor of the kernel's second interface for lines the kernel tells the line (since 5.19); one of the first
    /// counts when its program calls itself what the line's consumer is called.
    package static func find(chip: String, offset: Int, consumer: String, in root: String = "/proc") -> LineHolder? {
        for process in names(in: root).compactMap(Int.init).sorted() {
            let folder = "\(root)/\(process)"
            let program = Self(name: contents(of: "\(folder)/comm").trimmed, process: process)
            for descriptor in names(in: "\(folder)/fd") {
                switch target(of: "\(folder)/fd/\(descriptor)") {
                case "anon_inode:gpio-line":
                    let info = contents(of: "\(folder)/fdinfo/\(descriptor)")
                    if tells(info, chip: chip, offset: offset) { return program }
                case "anon_inode:gpio-linehandle", "anon_inode:gpio-event":
                    if program.name == consumer { return program }
                default: break
                }
            }
        }
        return nil
    }

    private static func tells(_ info: String, chip: String, offset: Int) -> Bool {
        let words = info.split(separator: "\n").map { $0.split { $0 == "\t" || $0 == " " } }
        return words.contains(["gpio-chip:", chip[...]]) && words.contains(["gpio-line:", "\(offset)"[...]])
    }
}

private func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        names.append(name)
    }
    return names
}

private func target(of link: String) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = readlink(link, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
}

private func contents(of file: String) -> String {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

extension String {
    fileprivate var trimmed: String { String(prefix { $0 != "\n" }) }
}
