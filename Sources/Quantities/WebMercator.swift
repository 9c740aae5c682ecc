import RealModule

/// A place on the square map of the earth in the projection Web Mercator (EPSG:3857), which map tiles use.
///
/// The formulas are those of the OpenStreetMap wiki, page "Slippy map tilenames".
package struct WebMercator: Sendable, Hashable {
    /// The latitude at the upper edge of the map, in degrees; the map is a square because it ends there.
    package static let highestLatitude = 85.0511287798066

    /// The share of the width, from 0 at 180° west to 1 at 180° east.
    package let x: Double
    /// The share of the height, from 0 in the north to 1 in the south.
    package let y: Double

    /// Projects a position; outside `highestLatitude`, the place is above or below the map.
    package init(_ position: Coordinate) {
        x = (position.longitude + 180) / 360
        y = Self.y(latitude: position.latitude)
    }

    /// Returns the share of the height at a latitude in degrees.
    package static func y(latitude: Double) -> Double {
        0.5 - .atanh(.sin(latitude * Coordinate.radians)) / (2 * .pi)
    }

    /// Returns the latitude in degrees at a share of the height.
    package static func latitude(y: Double) -> Double { .asin(.tanh(.pi * (1 - 2 * y))) / Coordinate.radians }
}
