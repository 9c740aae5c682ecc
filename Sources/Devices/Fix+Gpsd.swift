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
        hdop = sky.dilution?.horizontal
        vdop = sky.dilution?.vertical
        pdop = sky.dilution?.position
        jamming = 0...255 ~= report.jamming ? Int(report.jamming) : nil
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
        climb = finite(report.climb_mps).map { MetresPerSecond($0) }
        verticalAccuracy = positive(report.epv_m).map { Metres($0 / Self.linear95To68) }
    }
}

/// What gpsd said about the satellites; what it did not say is `nil`.
package struct Sky: Sendable, Hashable {
    /// Satellites used in the solution.
    package var satellites: Int?
    /// Satellites in view, used or not.
    package var seen: Int?
    /// How well the satellites stand; nothing when nothing of that was said.
    package var dilution: Dilution?

    /// Makes a sky; what is left out is unknown.
    package init(satellites: Int? = nil, seen: Int? = nil, dilution: Dilution? = nil) {
        self.satellites = satellites
        self.seen = seen
        self.dilution = dilution
    }

    /// Reads gpsd's report.
    package init(_ sky: cgpsd_sky) {
        satellites = sky.satellites_used < 0 ? nil : Int(sky.satellites_used)
        seen = sky.satellites_seen < 0 ? nil : Int(sky.satellites_seen)
        dilution = Dilution(sky)
    }

    /// This sky with what a later report added: gpsd may send DOPs and satellites apart.
    package func merging(_ later: Sky) -> Sky {
        Sky(
            satellites: later.satellites ?? satellites, seen: later.seen ?? seen,
            dilution: later.dilution ?? dilution)
    }
}

/// The dilutions of precision of one moment, by what they dilute.
package struct Dilution: Sendable, Hashable {
    /// To the east and to the north.
    package var horizontal: Double?
    /// Of the height.
    package var vertical: Double?
    /// Horizontal and vertical.
    package var position: Double?
    /// Of the time.
    package var time: Double?
    /// Of position and time.
    package var geometric: Double?
    /// To the east.
    package var eastward: Double?
    /// To the north.
    package var northward: Double?

    /// Makes a dilution; what is left out is unknown.
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

    /// Reads gpsd's report; nothing when it says none of them.
    fileprivate init?(_ sky: cgpsd_sky) {
        self.init(
            horizontal: positive(sky.hdop), vertical: positive(sky.vdop), position: positive(sky.pdop),
            time: positive(sky.tdop), geometric: positive(sky.gdop), eastward: positive(sky.xdop),
            northward: positive(sky.ydop))
        guard self != Dilution() else { return nil }
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
