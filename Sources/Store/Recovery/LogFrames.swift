import Glibc

/// The frames (page images) of SQLite's write-ahead log that belong to its present generation. SQLite stops at the
/// first frame with a wrong checksum, because it takes this for the start of an interrupted commit. If a failing card
/// changes one bit of an older frame, SQLite ignores all later commits and reports no error. File format:
/// https://sqlite.org/fileformat2.html, section 4.
struct LogFrames {
    struct Frame {
        let page: UInt32
        let offset: Int
        /// True if the checksum is right, which depends on that of the previous frame.
        let isIntact: Bool
    }

    private(set) var frames: [Frame] = []
    /// How many frames SQLite reads, from the first one on.
    private(set) var readableCount = 0

    /// If the header of the log is damaged, the first frame determines which frames belong to the present generation.
    init(of log: Int32, pageSize: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let header = read(0, 32)
        guard log >= 0, header.count == 32 else { return }
        let isBigEndian = Self.number(header[0..<4]) == Self.bigEndian
        var sum = Checksum(header[0..<24], isBigEndian: isBigEndian)
        let stated = Checksum(stored: header[24..<32])
        var isReadable = sum == stated && Self.number(header[0..<4]) | 1 == Self.bigEndian
        sum = stated
        var salts = header[16..<24]
        var isPreviousOfGeneration = true
        var offset = 32
        while true {
            let frame = read(offset, 24 + pageSize)
            guard frame.count == 24 + pageSize else { return }
            if offset == 32, !isReadable { salts = frame[8..<16] }
            sum.add(frame[0..<8], isBigEndian: isBigEndian)
            sum.add(frame[24...], isBigEndian: isBigEndian)
            let stored = Checksum(stored: frame[16..<24])
            let (page, isIntact) = (Self.number(frame[0..<4]), sum == stored)
            let hasSalts = frame[8..<16].elementsEqual(salts)
            // The checksum does not cover the salts; frames of an earlier generation have others.
            let isOfGeneration = hasSalts || isIntact && isPreviousOfGeneration
            if isOfGeneration { frames.append(Frame(page: page, offset: offset + 24, isIntact: isIntact)) }
            isReadable = isReadable && hasSalts && isIntact && page > 0
            if isReadable { readableCount = frames.count }
            // The damage of one frame does not affect the verdict on the frame after the next.
            (sum, isPreviousOfGeneration) = (stored, isOfGeneration)
            offset += 24 + pageSize
        }
    }

    /// A log with this magic number has big-endian checksums; others have this number minus one.
    private static let bigEndian: UInt32 = 0x377F_0683

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    private struct Checksum: Equatable {
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) { add(bytes, isBigEndian: isBigEndian) }

        init(stored bytes: ArraySlice<UInt8>) {
            (first, second) = (LogFrames.number(bytes.prefix(4)), LogFrames.number(bytes.suffix(4)))
        }

        mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
            bytes.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                    let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let two = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                    first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
                    second &+= (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
                }
            }
        }
    }
}
