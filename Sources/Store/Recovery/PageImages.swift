import CLinux
import Glibc

/// All pages of a database file and its log, read without SQLite, because a damaged page would hide others from it.
/// File format: https://sqlite.org/fileformat2.html, sections 1.3 (header), 1.6 (pages) and 4 (write-ahead log).
struct PageImages: ~Copyable {
    let pageSize: Int
    /// First come the images of the file, then those of the log, in which a later image is newer.
    var count: Int { filePages + frames.count }

    private let file: Int32
    private let log: Int32
    private let filePages: Int
    private let frames: [LogFrames.Frame]
    /// SQLite reads this number of frames from the start of the log.
    private let readableFrames: Int
    /// The newest image of each page in the log. An image with a wrong checksum counts only if there is no other.
    private let newest: [UInt32: Int]

    init?(path: String) {
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let log = open(path + "-wal", O_RDONLY | O_CLOEXEC)
        self.log = log
        let pageSize = Self.pageSize(
            header: Self.read(file, at: 0, count: 100), log: Self.read(log, at: 0, count: 32))
        self.pageSize = pageSize
        filePages = Self.size(of: file) / pageSize
        let found = LogFrames(of: log, pageSize: pageSize) { Self.read(log, at: $0, count: $1) }
        (frames, readableFrames) = (found.frames, found.readableCount)
        var newest: [UInt32: Int] = [:]
        for isIntact in [false, true] {
            for (index, frame) in frames.enumerated() where frame.isIntact == isIntact {
                newest[frame.page] = filePages + index
            }
        }
        self.newest = newest
    }

    deinit {
        close(file)
        if log >= 0 { close(log) }
    }

    /// Images are counted from 0; nil if the system cannot read this one.
    func image(_ index: Int) -> [UInt8]? {
        let bytes =
            index < filePages
            ? Self.read(file, at: index * pageSize, count: pageSize)
            : Self.read(log, at: frames[index - filePages].offset, count: pageSize)
        return bytes.count == pageSize ? bytes : nil
    }

    /// A page of the file has no checksum, and counts as intact.
    func isIntact(_ index: Int) -> Bool { index < filePages || frames[index - filePages].isIntact }

    /// The images in the log that SQLite does not read.
    var ignored: Range<Int> { filePages + readableFrames..<count }

    /// The newest image of a page; the first page has the number 1.
    func page(_ number: UInt32) -> [UInt8]? {
        if let index = newest[number] { return image(index) }
        guard number >= 1, number <= filePages else { return nil }
        return image(Int(number) - 1)
    }

    /// Differs from `PageSize` only if the owner has changed the size of the file's pages.
    private static func pageSize(header: [UInt8], log: [UInt8]) -> Int {
        var stated: [Int] = []
        if header.count == 100 { stated.append(header[16...17].reduce(0) { $0 << 8 | Int($1) }) }
        if log.count == 32 { stated.append(log[8...11].reduce(0) { $0 << 8 | Int($1) }) }
        let isPossible = { (size: Int) in (512...32_768).contains(size) && size & (size - 1) == 0 }
        return stated.first(where: isPossible) ?? PageSize.bytes
    }

    private static func size(of file: Int32) -> Int {
        var entry = stat()
        return fstat(file, &entry) == 0 ? Int(entry.st_size) : 0
    }

    private static func read(_ file: Int32, at offset: Int, count: Int) -> [UInt8] {
        guard file >= 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = max(0, pread(file, buffer.baseAddress, count, off_t(offset)))
        }
    }
}
