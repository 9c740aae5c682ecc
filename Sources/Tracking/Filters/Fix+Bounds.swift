package import Quantities

/// The possible values of each field; receivers and relays sometimes report impossible ones.
extension Fix {
    package static let fastest = MetresPerSecond(100)
    /// The highest average speed in the first minutes of a trip.
    package static let fastestStart = MetresPerSecond(40)
    private static let speeds = 0...fastest.value
    /// The heights from below the Dead Sea to above the highest road, with a margin for a poor vertical fix.
    private static let heights = -500.0...9000
    /// Heights above the ellipsoid; the geoid is up to 106 m below it, and up to 86 m above.
    private static let ellipsoidHeights = -610.0...9090
    private static let verticalErrors = 0.0...10_000
    private static let courses = 0.0...360
    /// Receivers report at most 100.
    private static let dilutions = 0.0...100
    private static let satelliteCounts = 0...200
    private static let jammingLevels = 0...255

    /// Removes impossible values, and returns the names of their fields. A horizontal error that is too large stays: the filter
    /// then rejects the whole fix.
    mutating func removeImpossible() -> [String] {
        var ignored: [String] = []
        accuracy.remove(outside: 0...(.infinity), "accuracy", &ignored)
        altitude.remove(outside: Self.heights, "altitude", &ignored)
        ellipsoidAltitude.remove(outside: Self.ellipsoidHeights, "height above the ellipsoid", &ignored)
        verticalAccuracy.remove(outside: Self.verticalErrors, "vertical accuracy", &ignored)
        speed.remove(outside: Self.speeds, "speed", &ignored)
        // A speed with an impossible error is useless.
        if speedAccuracy.remove(outside: Self.speeds, "speed accuracy", &ignored) { speed = nil }
        course.remove(outside: Self.courses, "course", &ignored)
        climb.remove(outside: -Self.fastest.value...Self.fastest.value, "climb", &ignored)
        hdop.remove(outside: Self.dilutions, "HDOP", &ignored)
        vdop.remove(outside: Self.dilutions, "VDOP", &ignored)
        pdop.remove(outside: Self.dilutions, "PDOP", &ignored)
        satellites.remove(outside: Self.satelliteCounts, "satellites", &ignored)
        jamming.remove(outside: Self.jammingLevels, "jamming", &ignored)
        return ignored
    }

    var withinBounds: Fix {
        var fix = self
        _ = fix.removeImpossible()
        return fix
    }
}

extension Optional where Wrapped: Comparable {
    /// `name` is added to `ignored` if the field is removed.
    @discardableResult
    fileprivate mutating func remove(
        outside range: ClosedRange<Wrapped>, _ name: String, _ ignored: inout [String]
    ) -> Bool {
        guard let value = self, !range.contains(value) else { return false }
        self = nil
        ignored.append(name)
        return true
    }
}

extension Optional where Wrapped: Quantity {
    /// The range is of plain numbers, because a range of quantities would contain NaN.
    @discardableResult
    fileprivate mutating func remove(
        outside range: ClosedRange<Double>, _ name: String, _ ignored: inout [String]
    ) -> Bool {
        guard let value = self, !range.contains(value.value) else { return false }
        self = nil
        ignored.append(name)
        return true
    }
}
