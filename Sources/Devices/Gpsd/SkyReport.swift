import JSON
import Quantities

/// gpsd's report on the satellites; a value that gpsd omits is nil.
package struct SkyReport: Sendable, Hashable {
    /// The number of satellites that the solution uses.
    package var satellites: Int?
    /// The number of satellites in view, whether used or not.
    package var seen: Int?
    /// The dilutions of precision; nil if none was reported.
    package var dilution: Dilution?

    /// Makes a report; a value that is left out is unknown.
    package init(satellites: Int? = nil, seen: Int? = nil, dilution: Dilution? = nil) {
        self.satellites = satellites
        self.seen = seen
        self.dilution = dilution
    }

    /// Reads gpsd's SKY; if a message contains only dilutions, the number of satellites is unknown.
    ///
    /// Earlier releases of gpsd send no numbers but only the list of satellites, and trackerd counts its entries.
    init(_ object: JSONValueView) {
        let (used, seen) = (object["uSat"]?.integer, object["nSat"]?.integer)
        let listed = used == nil || seen == nil ? object["satellites"]?.elements?.filter(\.isObject) : nil
        let number = seen ?? listed?.count
        self.seen = within(1...maximumSatellites, number)
        if number == nil || self.seen != nil {
            let counted = used ?? listed?.count { $0["used"]?.bool ?? false }
            satellites = within(0...(self.seen ?? maximumSatellites), counted)
        }
        dilution = Dilution(object)
    }

    /// Returns this report, updated with a later report, because gpsd may send dilutions and satellites separately.
    package func merging(_ later: SkyReport) -> SkyReport {
        SkyReport(
            satellites: later.satellites ?? satellites, seen: later.seen ?? seen,
            dilution: later.dilution ?? dilution)
    }
}

/// The dilutions of precision at one moment.
package struct Dilution: Sendable, Hashable {
    /// Dilution to the east and the north together.
    package var horizontal: Double?
    package var vertical: Double?
    /// Horizontal and vertical dilution.
    package var position: Double?
    package var time: Double?
    /// Dilution of position and time.
    package var geometric: Double?
    package var eastward: Double?
    package var northward: Double?

    /// Makes a dilution; a value that is left out is unknown.
    package init(
        horizontal: Double? = nil, vertical: Double? = nil, position: Double? = nil, time: Double? = nil,
        geometric: Double? = nil, eastward: Double? = nil, northward: Double? = nil
    ) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.position = position
        self.time = time
        self.geometric = geometric
        self.eastward = eastward
        self.northward = northward
    }

    /// Reads gpsd's SKY; nil if it contains no valid dilution.
    fileprivate init?(_ object: JSONValueView) {
        func value(_ key: StaticString) -> Double? { positive(object[key]?.double) }
        self.init(
            horizontal: value("hdop"), vertical: value("vdop"), position: value("pdop"), time: value("tdop"),
            geometric: value("gdop"), eastward: value("xdop"), northward: value("ydop"))
        guard self != Dilution() else { return nil }
    }
}

/// The sky report that belongs to the present fixes.
struct LatestSky {
    /// The maximum age of a sky report that may be combined with a fix.
    private static let validity: Duration = .seconds(10)

    private var report = SkyReport()
    private var time = Instant.boot
    /// The receiver that reported it; nil if gpsd did not state it.
    private var device: String?

    mutating func add(_ later: SkyReport, of device: String?, at now: Instant) {
        report = device == self.device ? report.merging(later) : later
        (self.device, time) = (device, now)
    }

    /// Returns the report for a fix of a receiver; a report without values if there is none.
    func report(for device: String?, at now: Instant) -> SkyReport {
        let isValid = now - time < Self.validity && (self.device == nil || self.device == device)
        return isValid ? report : SkyReport()
    }
}

/// The maximum number of satellites in view, of all satellite systems together.
private let maximumSatellites = 500
/// Half the circumference of the earth in metres; a larger error is invalid.
private let maximumError = 20_000_000.0

private func within<Number>(_ range: ClosedRange<Number>, _ number: Number?) -> Number? {
    number.flatMap { range.contains($0) ? $0 : nil }
}

/// Returns a dilution or an error of gpsd; nil if it is not positive or is impossibly large.
func positive(_ number: Double?) -> Double? { number.flatMap { $0 > 0 && $0 <= maximumError ? $0 : nil } }
