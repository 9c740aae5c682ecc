import JSON
import Quantities

package struct SkyReport: Sendable, Hashable {
    package var satellites: Int?
    /// The number of satellites in view, whether they are used or not.
    package var seen: Int?
    package var dilution: Dilution?

    /// gpsd may send dilutions and satellites separately.
    package func merging(_ later: SkyReport) -> SkyReport {
        SkyReport(
            satellites: later.satellites ?? satellites, seen: later.seen ?? seen, dilution: later.dilution ?? dilution)
    }
}

extension SkyReport {
    /// If a message has only dilutions, the number of satellites is unknown. gpsd before 3.22 sends no numbers; the
    /// satellites in its list are then counted.
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
}

package struct Dilution: Sendable, Hashable {
    package var horizontal: Double?
    package var vertical: Double?
    package var position: Double?
    package var time: Double?
    package var geometric: Double?
    package var eastward: Double?
    package var northward: Double?
}

extension Dilution {
    /// Nil without a valid dilution.
    fileprivate init?(_ object: JSONValueView) {
        func value(_ key: StaticString) -> Double? { positive(object[key]?.double) }
        self.init(
            horizontal: value("hdop"), vertical: value("vdop"), position: value("pdop"), time: value("tdop"),
            geometric: value("gdop"), eastward: value("xdop"), northward: value("ydop"))
        guard self != Dilution() else { return nil }
    }
}

struct LatestSky {
    /// The maximum age at which a sky report is combined with a fix.
    private static let validity: Duration = .seconds(10)

    private var report = SkyReport()
    private var time = Instant.boot
    /// Nil if gpsd did not state the device.
    private var device: String?

    mutating func add(_ later: SkyReport, of device: String?, at now: Instant) {
        report = device == self.device ? report.merging(later) : later
        (self.device, time) = (device, now)
    }

    /// The report has no values if the latest one is too old, or comes from another device.
    func report(for device: String?, at now: Instant) -> SkyReport {
        let isValid = now - time < Self.validity && (self.device == nil || self.device == device)
        return isValid ? report : SkyReport()
    }
}

/// The limit for all satellite systems together.
private let maximumSatellites = 500
/// Half the circumference of the earth in metres.
private let maximumError = 20_000_000.0

private func within<Number>(_ range: ClosedRange<Number>, _ number: Number?) -> Number? {
    number.flatMap { range.contains($0) ? $0 : nil }
}

/// Nil if the number is not positive, or impossibly large.
func positive(_ number: Double?) -> Double? { number.flatMap { $0 > 0 && $0 <= maximumError ? $0 : nil } }
