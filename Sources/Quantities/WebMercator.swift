import RealModule

/// A place on the square map of the earth in EPSG:3857, which map tiles use (OpenStreetMap wiki, "Slippy map
/// tilenames").
package struct WebMercator: Sendable, Hashable {
    /// In degrees, at the upper edge of the map, which is a square because it ends there.
    package static let highestLatitude = 85.0511287798066

    /// From 0 at 180° west to 1 at 180° east.
    package let x: Double
    /// From 0 in the north to 1 in the south.
    package let y: Double

    /// Outside `highestLatitude`, the place is above or below the map.
    package init(_ position: Coordinate) {
        x = (position.longitude + 180) / 360
        y = Self.y(latitude: position.latitude)
    }

    /// In degrees.
    package static func y(latitude: Double) -> Double {
        0.5 - .atanh(.sin(latitude * Coordinate.radians)) / (2 * .pi)
    }

    /// In degrees.
    package static func latitude(y: Double) -> Double { .asin(.tanh(.pi * (1 - 2 * y))) / Coordinate.radians }
}
