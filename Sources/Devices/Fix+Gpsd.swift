package import CGpsd
import Quantities
package import Tracking

extension Fix {
    /// Reads gpsd's report: NaN becomes `nil`, and what needs a position is left out without one.
    ///
    /// gpsd's error estimates are about 95 % figures (its manual page gpsd_json(5) does not promise more).
    package init(_ report: cgpsd_report, sky: Sky = Sky()) {
        self.init(mode: Mode(rawValue: Int(report.mode)) ?? .unknown)
        time = report.has_time ? Timestamp(milliseconds: report.time_unix_ms) : nil
        satellites = sky.satellites
        hdop = sky.hdop
        // Below 2D gpsd may repeat the last position; below 3D the last height.
        guard mode >= .twoDimensional else { return }
        coordinate = Coordinate(latitude: report.latitude_deg, longitude: report.longitude_deg)
        accuracy = report.horizontalError.map { Metres($0 / Self.horizontal95To68) }
        speed = finite(report.speed_mps).map { MetresPerSecond($0) }
        speedAccuracy = positive(report.eps_mps).map { MetresPerSecond($0 / Self.linear95To68) }
        course = finite(report.course_deg).map { Degrees($0) }
        guard mode == .threeDimensional else { return }
        altitude = finite(report.altitude_msl_m).map { Metres($0) }
        ellipsoidAltitude = finite(report.altitude_ellipsoid_m).map { Metres($0) }
        verticalAccuracy = positive(report.epv_m).map { Metres($0 / Self.linear95To68) }
    }
}

/// What gpsd said about the satellites; what it did not say is `nil`.
package struct Sky: Sendable, Hashable {
    /// Satellites used in the solution.
    package var satellites: Int?
    /// Satellites in view, used or not.
    package var seen: Int?
    /// Horizontal dilution of precision.
    package var hdop: Double?

    /// Makes a sky; what is left out is unknown.
    package init(satellites: Int? = nil, seen: Int? = nil, hdop: Double? = nil) {
        self.satellites = satellites
        self.seen = seen
        self.hdop = hdop
    }

    /// Reads gpsd's report.
    package init(_ sky: cgpsd_sky) {
        satellites = sky.satellites_used < 0 ? nil : Int(sky.satellites_used)
        seen = sky.satellites_seen < 0 ? nil : Int(sky.satellites_seen)
        hdop = positive(sky.hdop)
    }

    /// This sky with what a later report added: gpsd may send DOPs and satellites apart.
    package func merging(_ later: Sky) -> Sky {
        Sky(satellites: later.satellites ?? satellites, seen: later.seen ?? seen, hdop: later.hdop ?? hdop)
    }
}

extension cgpsd_report {
    /// The horizontal error in metres, about 95 %; from its two parts when gpsd gives only those.
    fileprivate var horizontalError: Double? {
        positive(eph_m) ?? positive((epx_m * epx_m + epy_m * epy_m).squareRoot())
    }
}

private func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }

private func positive(_ number: Double) -> Double? { number.isFinite && number > 0 ? number : nil }
