/// Tells whole advertisements from those that come in parts, of which none is read.
///
/// An iBeacon's 30 bytes never come in parts. But the last part of something longer says that it is complete, and what
/// it begins with could be taken for anything: so it is remembered who has begun.
package struct PartedAdvertisements: Sendable, Hashable {
    /// So many at most, whoever sends: a controller puts together few at a time.
    private static let most = 16

    private var begun: [AdvertisingReport.Advertiser] = []

    /// Begins without any.
    package init() {}

    /// Whether the report has a whole advertisement.
    package mutating func isWhole(_ report: AdvertisingReport) -> Bool {
        guard report.isExtended else { return true }
        let wasBegun = begun.contains(report.advertiser)
        begun.removeAll { $0 == report.advertiser }
        switch report.extent {
        case .toTheEnd: return !wasBegun
        case .cutOff: return false
        case .part:
            begun = begun.suffix(Self.most - 1) + [report.advertiser]
            return false
        }
    }
}
