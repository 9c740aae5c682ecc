package import Quantities

/// One report of a GPS receiver; a field that the receiver did not report is `nil`.
package struct Fix: Sendable, Hashable, Codable {
    package enum Mode: Int, Sendable, Codable, Comparable {
        case unknown = 0
        case noFix = 1
        case twoDimensional = 2
        case threeDimensional = 3

        package static func < (left: Mode, right: Mode) -> Bool { left.rawValue < right.rawValue }
    }

    /// The origin of a position that does not come from satellites alone.
    package enum Solution: String, Sendable, Hashable, Codable {
        /// The position follows from the last position, speed and course, without satellites.
        case deadReckoning
        /// The position comes from satellites and dead reckoning together.
        case combined
        case simulated
    }

    package var mode: Mode
    package var time: Timestamp?
    package var coordinate: Coordinate?
    /// Horizontal error: the true position is within this distance with 68 % probability.
    package var accuracy: Metres?
    /// Height above mean sea level.
    package var altitude: Metres?
    /// Height above the WGS84 ellipsoid.
    package var ellipsoidAltitude: Metres?
    /// Vertical error, 68 %.
    package var verticalAccuracy: Metres?
    /// Speed over ground, as measured by Doppler shift.
    package var speed: MetresPerSecond?
    /// Error of the speed, 68 %.
    package var speedAccuracy: MetresPerSecond?
    /// Course over ground from true north.
    package var course: Degrees?
    /// Vertical speed, positive upwards.
    package var climb: MetresPerSecond?
    package var satellites: Int?
    /// Horizontal dilution of precision.
    package var hdop: Double?
    /// Vertical dilution of precision.
    package var vdop: Double?
    /// Dilution of precision of the position, horizontal and vertical.
    package var pdop: Double?
    /// Jamming of the receiver, from 0 (none) to 255.
    package var jamming: Int?
    /// Nil if the receiver measured the position with satellites only.
    package var solution: Solution?

    package init(
        mode: Mode, time: Timestamp? = nil, coordinate: Coordinate? = nil, accuracy: Metres? = nil,
        altitude: Metres? = nil, ellipsoidAltitude: Metres? = nil, verticalAccuracy: Metres? = nil,
        speed: MetresPerSecond? = nil, speedAccuracy: MetresPerSecond? = nil, course: Degrees? = nil,
        climb: MetresPerSecond? = nil, satellites: Int? = nil, hdop: Double? = nil, vdop: Double? = nil,
        pdop: Double? = nil, jamming: Int? = nil
    ) {
        self.mode = mode
        self.time = time
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.altitude = altitude
        self.ellipsoidAltitude = ellipsoidAltitude
        self.verticalAccuracy = verticalAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.course = course
        self.climb = climb
        self.satellites = satellites
        self.hdop = hdop
        self.vdop = vdop
        self.pdop = pdop
        self.jamming = jamming
    }

    package var hasPlace: Bool { mode >= .twoDimensional && coordinate != nil }

    /// Places at most this far apart may repeat one solution: the resolution of receivers that state four decimals of a minute.
    static let onePlace = Metres(0.2)
    /// A receiver that reports at least this speed and repeats its place contradicts itself; a lower speed may be its noise.
    static let leastClaim = MetresPerSecond(1)

    /// Ratio of a 95 % radius to a 68 % radius: the quantiles of a Rayleigh distribution, 2.448 σ and 1.510 σ.
    package static let horizontal95To68 = 1.62
    /// Ratio of a 95 % error to a 68 % error along a line: the quantiles of a normal distribution, 1.96 σ and 1 σ.
    package static let linear95To68 = 1.96

    /// The missing fields come from an earlier report of the same epoch, and the mode is the better one of the two.
    package func filled(from earlier: Fix) -> Fix {
        var filled = Fix(
            mode: max(mode, earlier.mode), time: time ?? earlier.time, coordinate: coordinate ?? earlier.coordinate,
            accuracy: accuracy ?? earlier.accuracy, altitude: altitude ?? earlier.altitude,
            ellipsoidAltitude: ellipsoidAltitude ?? earlier.ellipsoidAltitude,
            verticalAccuracy: verticalAccuracy ?? earlier.verticalAccuracy, speed: speed ?? earlier.speed,
            speedAccuracy: speedAccuracy ?? earlier.speedAccuracy, course: course ?? earlier.course,
            climb: climb ?? earlier.climb, satellites: satellites ?? earlier.satellites, hdop: hdop ?? earlier.hdop,
            vdop: vdop ?? earlier.vdop, pdop: pdop ?? earlier.pdop, jamming: jamming ?? earlier.jamming)
        filled.solution = solution ?? earlier.solution
        return filled
    }
}
