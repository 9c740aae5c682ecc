package import Quantities

extension Region {
    /// Derives the date of a region's definition from the region's key or name; the same text always results in the
    /// same date (FNV-1a, 32 bits).
    ///
    /// OwnTracks identifies a region by the second of its definition, but a configuration file need not contain this
    /// date (`tst`). The derived date is before 2000.
    package static func standInDate(of id: String) -> Timestamp {
        let hash = id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Timestamp(milliseconds: Int64(hash) % secondsBefore2000 * 1000)
    }

    private static let secondsBefore2000: Int64 = 946_684_800
}
