extension TimeZoneRules {
    /// A compiled time zone file (TZif, RFC 9636) of version 1 or later. From version 2 on it contains all data twice,
    /// of which only the 64-bit data and the rule after them are read.
    package init(zoneFile bytes: [UInt8]) throws(TimeZoneFileError) {
        var reader = ByteReader(bytes)
        var header = try Header(&reader)
        guard header.version != 0 else {
            let (offset, transitions) = try Self.block(header, timeWidth: 4, &reader)
            self.init(initialOffset: offset, transitions: transitions, rule: nil)
            return
        }
        _ = try reader.take(header.length(timeWidth: 4))
        header = try Header(&reader)
        let (offset, transitions) = try Self.block(header, timeWidth: 8, &reader)
        self.init(initialOffset: offset, transitions: transitions, rule: try Self.footer(&reader))
    }

    /// Sections 3.1 and 3.2 of the RFC, in the order of the file.
    private struct Header {
        let version: UInt8
        let utcIndicators: Int
        let standardIndicators: Int
        let leapSeconds: Int
        let transitions: Int
        let types: Int
        let characters: Int

        init(_ reader: inout ByteReader) throws(TimeZoneFileError) {
            guard try reader.take(4).elementsEqual("TZif".utf8) else { throw .notAZoneFile }
            version = try reader.take(16).first ?? 0
            utcIndicators = Int(try reader.integer(width: 4))
            standardIndicators = Int(try reader.integer(width: 4))
            leapSeconds = Int(try reader.integer(width: 4))
            transitions = Int(try reader.integer(width: 4))
            types = Int(try reader.integer(width: 4))
            characters = Int(try reader.integer(width: 4))
            let counts = [utcIndicators, standardIndicators, leapSeconds, transitions, types, characters]
            guard counts.allSatisfy({ $0 >= 0 }) else { throw .damaged(what: "a count is larger than any file") }
        }

        func length(timeWidth: Int) -> Int {
            transitions * (timeWidth + 1) + types * TimeZoneRules.typeWidth + characters + leapSeconds * (timeWidth + 4)
                + standardIndicators + utcIndicators
        }
    }

    private static func block(
        _ header: Header, timeWidth: Int, _ reader: inout ByteReader
    ) throws(TimeZoneFileError) -> (initialOffset: Int64, transitions: [Transition]) {
        guard header.leapSeconds == 0 else { throw .leapSeconds }
        var data = ByteReader(try reader.take(header.length(timeWidth: timeWidth)))
        var times = ByteReader(try data.take(header.transitions * timeWidth))
        let kinds = try data.take(header.transitions)
        let offsets = try offsets(of: header.types, ByteReader(data.take(header.types * typeWidth)))
        guard let initialOffset = offsets.first else { throw .damaged(what: "it has no offset from UTC") }
        var transitions: [Transition] = []
        for kind in kinds {
            let time = try times.integer(width: timeWidth)
            guard kind < offsets.count else {
                throw .damaged(what: "a transition names a type that the file does not have")
            }
            guard transitions.last.map({ $0.time < time }) ?? true else {
                throw .damaged(what: "the changes of the clocks are out of order")
            }
            transitions.append(Transition(time: time, offset: offsets[Int(kind)]))
        }
        return (initialOffset, transitions)
    }

    private static func offsets(of count: Int, _ types: ByteReader) throws(TimeZoneFileError) -> [Int64] {
        var types = types
        var offsets: [Int64] = []
        for _ in 0..<count {
            let offset = try types.integer(width: 4)
            // Skip the flag for summer time and the index of the name.
            _ = try types.take(typeWidth - 4)
            guard allowedOffsets.contains(offset) else {
                throw .damaged(what: "an offset from UTC is \(offset) seconds")
            }
            offsets.append(offset)
        }
        return offsets
    }

    /// The rule for the time after the last transition, between two line feeds; nil if it is empty.
    private static func footer(_ reader: inout ByteReader) throws(TimeZoneFileError) -> YearlyRule? {
        let lineFeed = UInt8(ascii: "\n")
        let rest = try reader.take(max(2, reader.remaining))
        guard rest.first == lineFeed, let end = rest.dropFirst().firstIndex(of: lineFeed) else {
            throw .damaged(what: "its last line is missing")
        }
        let text = rest[rest.startIndex + 1..<end]
        guard !text.isEmpty else { return nil }
        guard let rule = YearlyRule(text) else {
            throw .damaged(what: "its last line is `\(String(decoding: text, as: UTF8.self))`")
        }
        return rule
    }

    /// A type consists of an offset of four bytes, a flag of one byte and an index of one byte.
    private static let typeWidth = 6
    /// Offsets are above −25 hours and below 26 hours (section 3.2 of the RFC).
    private static let allowedOffsets: Range<Int64> = -25 * 3600 + 1..<26 * 3600
}

package enum TimeZoneFileError: Error, Sendable, Hashable, CustomStringConvertible {
    case notAZoneFile
    case truncated(needed: Int, has: Int)
    case damaged(what: String)
    /// The times in the file count leap seconds, unlike the system clock.
    case leapSeconds

    package var description: String {
        switch self {
        case .notAZoneFile:
            "no time zone: it does not begin with `TZif`. Name a zone such as `Europe/Berlin`."
        case .truncated(let needed, let has):
            "ends after \(has) bytes where at least \(needed) belong. Reinstall the package tzdata."
        case .damaged(let what):
            "damaged: \(what). Reinstall the package tzdata."
        case .leapSeconds:
            "counts leap seconds, which the system clock does not. Name the zone without `right/`."
        }
    }
}

private struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = ArraySlice(bytes)
        index = self.bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - index }

    mutating func take(_ count: Int) throws(TimeZoneFileError) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw .truncated(needed: index + count, has: bytes.endIndex) }
        defer { index += count }
        return bytes[index..<index + count]
    }

    mutating func integer(width: Int) throws(TimeZoneFileError) -> Int64 {
        let bytes = try take(width)
        let sign: Int64 = (bytes.first ?? 0) & 0x80 != 0 ? -1 : 0
        return bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }
}
