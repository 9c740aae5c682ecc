import Quantities
package import Tracking

extension Fix {
    /// A value is nil if gpsd reports no valid one, or if it has no meaning in the mode of the fix. The engine judges
    /// whether the values are plausible for a vehicle (`Fix+Bounds` of Tracking). gpsd's error estimates, bounds of
    /// about 95 % (gpsd_json(5) promises no exact level), are converted to bounds of 68 %.
    package init(_ report: GpsdReport, sky: SkyReport = SkyReport()) {
        self.init(mode: report.mode.flatMap(Mode.init(rawValue:)) ?? .unknown)
        time = report.time
        satellites = sky.satellites
        hdop = sky.dilution?.horizontal
        vdop = sky.dilution?.vertical
        pdop = sky.dilution?.position
        jamming = report.jamming
        // Below 2D gpsd may repeat the last position, and below 3D the last height.
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

extension Fix.Solution {
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

    /// A bound of about 95 %. If gpsd reports none, it is computed from the errors to the east and to the north.
    fileprivate var horizontalError_m: Double? {
        if let eph_m = positive(eph_m) { return eph_m }
        guard let epx_m = positive(epx_m), let epy_m = positive(epy_m) else { return nil }
        return (epx_m * epx_m + epy_m * epy_m).squareRoot()
    }
}
