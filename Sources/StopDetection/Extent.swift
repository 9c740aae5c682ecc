package import Quantities

/// The smallest part of the map between two circles of latitude and two meridians that holds a number of places.
package struct Extent: Sendable, Hashable {
    private var south: Double
    private var north: Double
    private var west: Double
    private var east: Double

    /// Holds one place.
    package init(_ place: Coordinate) {
        (south, north) = (place.latitude, place.latitude)
        (west, east) = (place.longitude, place.longitude)
    }

    /// Takes ranges of degrees; those of longitude go on beyond 180 where the date line is crossed.
    package init(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) {
        (south, north) = (latitudes.lowerBound, latitudes.upperBound)
        (west, east) = (longitudes.lowerBound, longitudes.upperBound)
    }

    /// Holds one more place.
    package mutating func extend(to place: Coordinate) {
        let longitude = place.longitude(near: (west + east) / 2)
        (south, north) = (min(south, place.latitude), max(north, place.latitude))
        (west, east) = (min(west, longitude), max(east, longitude))
    }

    /// The distance from one corner to the opposite one.
    package var diagonal: Metres {
        let breadth = min(180, east - west)
        let corners = (Coordinate(latitude: south, longitude: 0), Coordinate(latitude: north, longitude: breadth))
        guard let first = corners.0, let second = corners.1 else { return .zero }
        return first.distance(to: second)
    }
}

extension Coordinate {
    /// The longitude, written as that number of degrees which is nearest to the given one: 181 for −179 near 180.
    package func longitude(near other: Double) -> Double {
        longitude + ((other - longitude) / 360).rounded() * 360
    }
}
