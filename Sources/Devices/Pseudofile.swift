import Glibc

/// Accesses short files, such as those of /proc and /sys; a missing file counts as empty.
enum Pseudofile {
    /// Returns the names in no particular order.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) { names.append(String(inArray: entry.pointee.d_name)) }
        return names
    }

    /// Returns sorted numbers, such as 1 and 20 for `i2c-1` and `i2c-20`.
    static func numbers(after prefix: String, in folder: String) -> [Int] {
        names(in: folder).filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
    }

    /// Returns at most 4096 bytes, without a line feed at the end.
    static func text(of file: String) -> String {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return text.last == "\n" ? String(text.dropLast()) : text
    }

    /// Writes to an existing file that is not a link; returns why the write failed, or nil.
    static func write(_ text: String, to file: String) -> String? {
        write(text, to: open(file, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
    }

    /// Replaces a file or a link; returns why that failed, or nil.
    static func replace(_ file: String, by text: String) -> String? {
        let new = file + ".new"
        unlink(new)
        if let reason = write(text, to: open(new, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0o644)) { return reason }
        return rename(new, file) == 0 ? nil : String(cString: strerror(errno))
    }

    /// Closes the descriptor; returns why the write failed, or nil.
    private static func write(_ text: String, to descriptor: Int32) -> String? {
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        return Glibc.write(descriptor, bytes, bytes.count) == bytes.count ? nil : String(cString: strerror(errno))
    }

    static func target(of link: String) -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        let count = readlink(link, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
