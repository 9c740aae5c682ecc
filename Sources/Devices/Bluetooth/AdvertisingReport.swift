package struct AdvertisingReport: Sendable, Hashable {
    package struct Advertiser: Sendable, Hashable {
        /// The type of the address, the address in the order of transmission, and in an extended report the advertising set.
        package let bytes: ArraySlice<UInt8>
    }

    /// The raw values are the data status of an extended report.
    package enum Extent: UInt8, Sendable, Hashable {
        /// The whole advertisement or, in extended advertising, its last fragment.
        case complete = 0
        /// More fragments follow.
        case fragment
        /// The controller has lost all later fragments.
        case truncated
    }

    package let advertiser: Advertiser
    package let extent: Extent
    /// Controllers fragment only extended advertisements.
    package let isExtended: Bool
    /// The signal strength in dBm; 127 if the controller cannot measure it.
    package let rssi: Int8
    package let data: ArraySlice<UInt8>

    /// Nil for an event of another kind. The count in the event is not trusted: an incomplete report is dropped, and so
    /// are all after it.
    package static func reports(in event: ArraySlice<UInt8>) -> [AdvertisingReport]? {
        guard let code = event.first, [legacyCode, extendedCode].contains(code), let count = event.dropFirst().first
        else { return nil }
        var rest = event.dropFirst(2)
        var reports: [AdvertisingReport] = []
        while reports.count < count,
            let report = code == legacyCode ? AdvertisingReport(legacy: &rest) : AdvertisingReport(extended: &rest)
        {
            reports.append(report)
        }
        return reports
    }

    private static let legacyCode: UInt8 = 0x02
    private static let extendedCode: UInt8 = 0x0D

    /// The fields are event type, type of address, address (6 bytes), length, data, signal strength. Controllers send
    /// complete reports one after the other, although the specification orders the fields of all reports by kind.
    private init?(legacy rest: inout ArraySlice<UInt8>) {
        let head = rest.prefix(9)
        guard head.count == 9, let length = head.last.map(Int.init) else { return nil }
        let body = rest.dropFirst(9)
        guard body.count > length, let strength = body.dropFirst(length).first else { return nil }
        advertiser = Advertiser(bytes: head.dropFirst().dropLast())
        extent = .complete
        isExtended = false
        data = body.prefix(length)
        rssi = Int8(bitPattern: strength)
        rest = body.dropFirst(length + 1)
    }

    /// The fields, with their bytes if more than one: event type (2), type of address, address (6), two PHYs, advertising
    /// set, transmit power, signal strength, interval (2), type of the target's address, that address (6), length, data.
    private init?(extended rest: inout ArraySlice<UInt8>) {
        let head = Array(rest.prefix(24))
        guard head.count == 24 else { return nil }
        let body = rest.dropFirst(24)
        let length = Int(head[23])
        guard body.count >= length else { return nil }
        advertiser = Advertiser(bytes: head[2..<9] + head[11..<12])
        isExtended = head[0] & Self.legacyFlag == 0
        // The status 3 is reserved.
        extent = isExtended ? Extent(rawValue: head[0] >> 5 & 0x03) ?? .truncated : .complete
        rssi = Int8(bitPattern: head[13])
        data = body.prefix(length)
        rest = body.dropFirst(length)
    }

    /// Marks a report of legacy packets (Bluetooth 4.0).
    private static let legacyFlag: UInt8 = 0x10
}

/// Drops fragmented extended advertisements: the 30 bytes of an iBeacon always fit in one packet. The controller marks
/// even a last fragment as complete, and such a fragment can begin with any bytes, so the filter remembers which
/// advertisers have sent earlier ones.
package struct FragmentedAdvertisements: Sendable, Hashable {
    private static let maximumCount = 16

    private var begun: [AdvertisingReport.Advertiser] = []

    package init() {}

    package mutating func isWhole(_ report: AdvertisingReport) -> Bool {
        guard report.isExtended else { return true }
        let wasBegun = begun.contains(report.advertiser)
        begun.removeAll { $0 == report.advertiser }
        switch report.extent {
        case .complete: return !wasBegun
        case .truncated: return false
        case .fragment:
            begun = begun.suffix(Self.maximumCount - 1) + [report.advertiser]
            return false
        }
    }
}
