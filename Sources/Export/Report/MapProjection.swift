import Quantities

/// North is up, and a unit is the same length in both directions; the scale is exact along the parallel through the middle.
struct MapProjection: Sendable {
    /// `y` grows downwards.
    struct Place: Sendable, Hashable {
        let x: Double
        let y: Double
    }

    static let width = 1000.0
    /// The margin in units; marks and labels need this room.
    private static let margin = 60.0
    /// The limits of the height, relative to the width.
    private static let proportions = 0.42...0.75
    /// The extent in metres; the noise of fixes at one place would fill a smaller drawing.
    private static let smallestExtent = 120.0

    let height: Double
    let unit: Metres
    private let centre: Coordinate
    private let metresPerDegree: (east: Double, north: Double)

    /// Nil without positions.
    init?(_ places: some Sequence<Coordinate>) {
        var box: Extent?
        for place in places { box = box?.extended(to: place) ?? Extent(place) }
        guard let box, let centre = box.centre, let step = Coordinate(latitude: centre.latitude, longitude: 0)
        else { return nil }
        self.centre = centre
        let probe = 0.001
        let sides = (
            east: Coordinate(latitude: centre.latitude, longitude: probe),
            north: Coordinate(latitude: centre.latitude - (centre.latitude > 0 ? probe : -probe), longitude: 0)
        )
        guard let eastern = sides.east, let northern = sides.north else { return nil }
        metresPerDegree = (
            east: step.offset(to: eastern).east.value / probe,
            north: step.offset(to: northern).north.magnitude.value / probe
        )
        let breadth = max(Self.smallestExtent, box.longitudes * metresPerDegree.east)
        let length = max(Self.smallestExtent, (box.north - box.south) * metresPerDegree.north)
        let proportion = min(Self.proportions.upperBound, max(Self.proportions.lowerBound, length / breadth))
        height = (Self.width * proportion).rounded()
        unit = Metres(max(breadth / (Self.width - 2 * Self.margin), length / (height - 2 * Self.margin)))
    }

    func place(_ position: Coordinate) -> Place {
        let east = (position.longitude(near: centre.longitude) - centre.longitude) * metresPerDegree.east
        let north = (position.latitude - centre.latitude) * metresPerDegree.north
        return Place(x: Self.width / 2 + east / unit.value, y: height / 2 - north / unit.value)
    }

    /// A length of 1, 2 or 5 m times a power of ten: the longest that fits into a quarter of the width.
    var scaleBar: Metres {
        let most = Self.width / 4 * unit.value
        var length = 1.0
        for step in 1..<30 {
            let next = [2.0, 5.0, 10.0][(step - 1) % 3] * power(of: (step - 1) / 3)
            guard next <= most else { break }
            length = next
        }
        return Metres(length)
    }

    var scaleLabel: String {
        let metres = Int(scaleBar.value)
        return metres < 1000 ? "\(metres) m" : "\(metres / 1000) km"
    }

    private func power(of exponent: Int) -> Double { (0..<exponent).reduce(1) { value, _ in value * 10 } }
}

/// The range of longitude may cross the date line.
private struct Extent {
    private(set) var south: Double
    private(set) var north: Double
    private var west: Double
    private var east: Double

    init(_ place: Coordinate) {
        (south, north) = (place.latitude, place.latitude)
        (west, east) = (place.longitude, place.longitude)
    }

    func extended(to place: Coordinate) -> Extent {
        var extended = self
        let longitude = place.longitude(near: (west + east) / 2)
        (extended.south, extended.north) = (min(south, place.latitude), max(north, place.latitude))
        (extended.west, extended.east) = (min(west, longitude), max(east, longitude))
        return extended
    }

    var longitudes: Double { min(360, east - west) }

    var centre: Coordinate? {
        let middle = (west + east) / 2
        let turns: Double = middle > 180 ? -360 : middle < -180 ? 360 : 0
        return Coordinate(latitude: (south + north) / 2, longitude: middle + turns)
    }
}
