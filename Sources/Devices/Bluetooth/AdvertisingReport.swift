/// What a controller heard from one advertiser.
package struct AdvertisingReport: Sendable, Hashable {
    /// Who advertises, as far as that can be told.
    package struct Advertiser: Sendable, Hashable {
        /// The kind of the address, the address in the order in which it is sent, and the number of the advertising
        /// set.
        package let bytes: ArraySlice<UInt8>
    }

    /// How much of the advertisement the report has.
    package enum Extent: Sendable, Hashable {
        /// All of it; extended advertising may also mean the last part of it.
        case toTheEnd
        /// A part, and more comes.
        case part
        /// A part, and what would come is lost.
        case cutOff
    }

    /// Who it was.
    package let advertiser: Advertiser
    /// How much this is.
    package let extent: Extent
    /// Whether it came by extended advertising, which alone may come in parts.
    package let isExtended: Bool
    /// The signal strength in dBm; 127 when the controller cannot tell.
    package let rssi: Int8
    /// The advertising data, or a part of it.
    package let data: ArraySlice<UInt8>

    /// The reports of an LE event; nothing when it is one without.
    ///
    /// The count is a claim like any other: what is not there in full is left out, with all behind it.
    package static func reports(in event: ArraySlice<UInt8>) -> [AdvertisingReport]? {
        guard let kind = event.first.flatMap(Layout.init), let count = event.dropFirst().first else { return nil }
        var rest = event.dropFirst(2)
        var reports: [AdvertisingReport] = []
        while reports.count < count, let report = AdvertisingReport(kind, from: &rest) { reports.append(report) }
        return reports
    }

    /// The subevents that have reports.
    private enum Layout: UInt8 {
        case legacy = 0x02
        case extended = 0x0D
    }

    private init?(_ layout: Layout, from rest: inout ArraySlice<UInt8>) {
        switch layout {
        case .legacy: self.init(legacy: &rest)
        case .extended: self.init(extended: &rest)
        }
    }

    /// Event type, kind of address, address (6), length, data, signal strength.
    ///
    /// Controllers send one report behind the other, although the specification has a field of all reports before the
    /// next field.
    private init?(legacy rest: inout ArraySlice<UInt8>) {
        let head = rest.prefix(9)
        guard head.count == 9, let length = head.last.map(Int.init) else { return nil }
        let body = rest.dropFirst(9)
        guard body.count > length, let strength = body.dropFirst(length).first else { return nil }
        advertiser = Advertiser(bytes: head.dropFirst().dropLast())
        extent = .toTheEnd
        isExtended = false
        data = body.prefix(length)
        rssi = Int8(bitPattern: strength)
        rest = body.dropFirst(length + 1)
    }

    /// Event type (2), kind of address, address (6), two radio kinds, advertising set, sending power, signal strength,
    /// interval (2), kind of the target's address, that address (6), length, data.
    private init?(extended rest: inout ArraySlice<UInt8>) {
        let head = Array(rest.prefix(24))
        guard head.count == 24 else { return nil }
        let body = rest.dropFirst(24)
        let length = Int(head[23])
        guard body.count >= length else { return nil }
        advertiser = Advertiser(bytes: head[2..<9] + head[11..<12])
        isExtended = head[0] & Self.legacyFlag == 0
        extent = isExtended ? Self.extent(status: head[0] >> 5 & 0x03) : .toTheEnd
        rssi = Int8(bitPattern: head[13])
        data = body.prefix(length)
        rest = body.dropFirst(length)
    }

    /// In the event type: the packets were those of Bluetooth 4.0.
    private static let legacyFlag: UInt8 = 0x10

    /// 3 is reserved; what is not known to be whole is not.
    private static func extent(status: UInt8) -> Extent {
        switch status {
        case 0: .toTheEnd
        case 1: .part
        default: .cutOff
        }
    }
}
