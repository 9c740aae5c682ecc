/// Cuts what gpsd sends into lines of bounded length.
package struct GpsdLineBuffer: Sendable {
    /// The longest line in bytes, without its end; gpsd's own buffer for a line holds 10 KiB.
    package static let longestLine = 64 * 1024

    /// A line is longer than `longestLine`.
    package struct TooLong: Error, Hashable {}

    /// The line that has begun and not ended.
    private var begun: [UInt8] = []

    /// Begins without any bytes.
    package init() {}

    /// Takes bytes, and returns the lines that they end, without their line feeds; after an error it is of no more use.
    package mutating func lines(adding bytes: some Collection<UInt8>) throws(TooLong) -> [[UInt8]] {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var lines: [[UInt8]] = []
        for part in parts.dropLast() { lines.append(try extend(by: part)) }
        if let rest = parts.last { begun = try extend(by: rest) }
        return lines
    }

    /// The line that has begun, with its next part; nothing has begun afterwards.
    private mutating func extend(by part: some Collection<UInt8>) throws(TooLong) -> [UInt8] {
        guard begun.count + part.count <= Self.longestLine else { throw TooLong() }
        var line: [UInt8] = []
        swap(&line, &begun)
        line += part
        return line
    }
}
