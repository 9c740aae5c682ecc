import Quantities
package import Tracking

extension Fix {
    /// Reads gpsd's report; a value is nil if gpsd reports no valid value, or if the value has no meaning in the mode
    /// of the fix.
    ///
    /// The engine judges whether the values are plausible for a vehicle (`Fix+Bounds` of Tracking). gpsd's error estimates are
    /// bounds of about 95 %; its manual page gpsd_json(5) promises no exact level.
    package init(_ report: GpsdReport, sky: SkyReport = SkyReport()) {
        self.init(mode: report.mode.flatMap(Mode.init(rawValue:)) ?? .unknown)
        time = report.time
        satellites = sky.satellites
        hdop = sky.dilution?.horizontal
        vdop = sky.dilution?.vertical
        pdop = sky.dilution?.position
        jamming = report.jamming
        // If the mode is below 2D, gpsd may repeat the last position. If the mode is below 3D, gpsd may repeat the last
        // height.
        guard mode >= .twoDimensional else { return }
        coordinate = report.coordinate
        solution = report.status.flatMap(Solution.init(status:))
        accuracy = report.horizontalError_m.map { Metres($0 / Self.horizontal95To68) }
        speed = report.speed_mps.map { MetresPerSecond($0) }
        speedAccuracy = positive(report.eps_mps).map { MetresPerSecond($0 / Self.linear95To68) }
        course = report.course_deg.map { Degrees($0) }
        guard mode == .threeDimensional else { return }
        altitude = report.altitudeMSL_m.map { Metres($0) }
        ellipsoidAltitude = report.altitudeEllipsoid_m.map { Metres($0) }
        climb = report.climb_mps.map { MetresPerSecond($0) }
        verticalAccuracy = positive(report.epv_m).map { Metres($0 / Self.linear95To68) }
    }
}

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
    init(_ sky: GpsdSky) {
        let number = sky.seen ?? sky.satellites?.count
        seen = within(1...maximumSatellites, number)
        if number == nil || seen != nil {
            satellites = within(0...(seen ?? maximumSatellites), sky.used ?? sky.satellites?.count { $0 })
        }
        dilution = Dilution(sky)
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
    fileprivate init?(_ sky: GpsdSky) {
        self.init(
            horizontal: positive(sky.hdop), vertical: positive(sky.vdop), position: positive(sky.pdop),
            time: positive(sky.tdop), geometric: positive(sky.gdop), eastward: positive(sky.xdop),
            northward: positive(sky.ydop))
        guard self != Dilution() else { return nil }
    }
}

extension Fix.Solution {
    /// Reads gpsd's status; nil if the position comes from satellites only, or if the status is unknown.
    fileprivate init?(status: Int) {
        switch status {
        case 5: self = .deadReckoning
        case 6: self = .combined
        case 8: self = .simulated
        default: return nil
        }
    }
}

extension GpsdReport {
    fileprivate var coordinate: Coordinate? {
        guard let latitude_deg, let longitude_deg else { return nil }
        return Coordinate(latitude: latitude_deg, longitude: longitude_deg)
    }

    /// The horizontal error, with a confidence of about 95 %.
    ///
    /// If gpsd does not report this error, the program computes it from the errors to the east and to the north.
    fileprivate var horizontalError_m: Double? {
        if let eph_m = positive(eph_m) { return eph_m }
        guard let epx_m = positive(epx_m), let epy_m = positive(epy_m) else { return nil }
        return (epx_m * epx_m + epy_m * epy_m).squareRoot()
    }
}

/// The maximum number of satellites in view, of all satellite systems together.
private let maximumSatellites = 500
/// Half the circumference of the earth in metres; a larger error is invalid.
private let maximumError = 20_000_000.0

private func within<Number>(_ range: ClosedRange<Number>, _ number: Number?) -> Number? {
    number.flatMap { range.contains($0) ? $0 : nil }
}

private func positive(_ number: Double?) -> Double? { number.flatMap { $0 > 0 && $0 <= maximumError ? $0 : nil } }
