import RealModule

extension Coordinate {
    /// The shortest path on the WGS84 ellipsoid. Up to about 50 km, and below a mean latitude of 85°, the ellipsoid
    /// counts as flat, with the radii of curvature at the mean latitude (error below 2 · 10⁻⁵ up to 70°). Otherwise
    /// Lambert's formula for long lines applies (error below 0.01 %).
    public func distance(to other: Coordinate) -> Metres {
        let offset = offset(to: other)
        let squared = offset.east.value * offset.east.value + offset.north.value * offset.north.value
        let isShort = squared < 2.5e9 && (latitude + other.latitude).magnitude < 170
        return isShort ? Metres(squared.squareRoot()) : lambertDistance(to: other)
    }

    /// Returns the offset on a plane that touches the ellipsoid half-way between the two positions, which must be less
    /// than 50 km apart; they may be on both sides of the date line.
    public func offset(to other: Coordinate) -> (east: Metres, north: Metres) {
        let radii = Self.curvature(atLatitude: (latitude + other.latitude) / 2)
        let turns = Self.shorterWayRound(other.longitude - longitude)
        return (
            east: Metres(turns * Self.radians * radii.aroundAxis),
            north: Metres((other.latitude - latitude) * Self.radians * radii.alongMeridian)
        )
    }

    /// The longitude stays within ±180°, and the latitude within ±90°.
    public func moved(east: Metres, north: Metres) -> Coordinate {
        let radii = Self.curvature(atLatitude: latitude)
        let newLatitude = min(90, max(-90, latitude + north.value / radii.alongMeridian / Self.radians))
        let eastward = radii.aroundAxis > 1 ? east.value / radii.aroundAxis / Self.radians : 0
        let newLongitude = Self.shorterWayRound(longitude + eastward)
        return Coordinate(latitude: newLatitude, longitude: newLongitude) ?? self
    }

    static let radians = Double.pi / 180
    /// WGS84: equatorial radius in metres, and flattening.
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257223563

    /// Returns the radii in metres per radian.
    static func curvature(atLatitude latitude: Double) -> (alongMeridian: Double, aroundAxis: Double) {
        let eccentricitySquared = flattening * (2 - flattening)
        let sine = Double.sin(latitude * radians)
        let shrink = 1 - eccentricitySquared * sine * sine
        let primeVertical = equatorialRadius / shrink.squareRoot()
        return (
            alongMeridian: primeVertical * (1 - eccentricitySquared) / shrink,
            aroundAxis: primeVertical * (1 - sine * sine).squareRoot()
        )
    }

    /// The equivalent angle from −180 to 180, for degrees from −540 to 540.
    static func shorterWayRound(_ degrees: Double) -> Double {
        if degrees > 180 { return degrees - 360 }
        return degrees < -180 ? degrees + 360 : degrees
    }

    /// Lambert's formula of 1942 on reduced latitudes: the great circle, corrected for the flattening.
    private func lambertDistance(to other: Coordinate) -> Metres {
        func reduced(_ degrees: Double) -> Double { .atan((1 - Self.flattening) * .tan(degrees * Self.radians)) }
        let (first, second) = (reduced(latitude), reduced(other.latitude))
        let halfLongitude = Double.sin((other.longitude - longitude) * Self.radians / 2)
        let halfLatitude = Double.sin((second - first) / 2)
        let chord = halfLatitude * halfLatitude + .cos(first) * .cos(second) * halfLongitude * halfLongitude
        let half = Double.asin(min(1, chord.squareRoot()))
        let angle = 2 * half
        guard angle > 0, angle < .pi else { return Metres(angle * Self.equatorialRadius) }
        let (meanSine, meanCosine) = (Double.sin((first + second) / 2), Double.cos((first + second) / 2))
        let differenceCosine = Double.cos((second - first) / 2)
        let (halfSine, halfCosine) = (Double.sin(half), Double.cos(half))
        let plus =
            (angle - .sin(angle)) * (meanSine * differenceCosine / halfCosine)
            * (meanSine * differenceCosine / halfCosine)
        let minus =
            (angle + .sin(angle)) * (meanCosine * halfLatitude / halfSine) * (meanCosine * halfLatitude / halfSine)
        return Metres(Self.equatorialRadius * (angle - Self.flattening / 2 * (plus + minus)))
    }
}
