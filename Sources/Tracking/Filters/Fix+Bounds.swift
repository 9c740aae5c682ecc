package import Quantities

/// The range of possible values for each field of a vehicle's fix.
///
/// Receivers, and programs that relay their reports, sometimes report impossible values.
///
/// trackerd applies these checks to all fixes from gpsd and from recordings. Each field of an accepted fix is finite
/// and within its range.
extension Fix {
    /// The highest possible speed of a tracked vehicle.
    package static let fastest = MetresPerSecond(100)
    /// The highest average speed of a vehicle in the first minutes of a trip.
    package static let fastestStart = MetresPerSecond(40)
    private static let speeds = 0...fastest.value
    /// Heights from below the Dead Sea to above the highest road, with a margin for a poor vertical fix.
    private static let heights = -500.0...9000
    /// The same heights above the ellipsoid.
    ///
    /// The geoid is up to 106 m below the ellipsoid, and up to 86 m above it.
    private static let ellipsoidHeights = -610.0...9090
    private static let verticalErrors = 0.0...10_000
    private static let courses = 0.0...360
    /// Receivers report dilutions of at most 100.
    private static let dilutions = 0.0...100
    private static let satelliteCounts = 0...200
    private static let jammingLevels = 0...255

    /// Whether the fix has an impossible speed; the whole fix is then unusable.
    var isTooFast: Bool { speed.map { $0.value > Self.fastest.value } ?? false }

    /// Returns the fix with nil for each field with an impossible value, and the names of these fields.
    ///
    /// A horizontal error and a speed that are too large remain in the fix, because the filter then rejects the whole
    /// fix.
    func withinBounds() -> (fix: Fix, ignored: [String]) {
        var (fix, ignored) = (self, [String]())
        fix.accuracy.remove(outside: 0...(.infinity), "accuracy", &ignored)
        fix.altitude.remove(outside: Self.heights, "altitude", &ignored)
        fix.ellipsoidAltitude.remove(outside: Self.ellipsoidHeights, "height above the ellipsoid", &ignored)
        fix.verticalAccuracy.remove(outside: Self.verticalErrors, "vertical accuracy", &ignored)
        fix.speed.remove(outside: 0...(.infinity), "speed", &ignored)
        // A speed with an impossible error is useless.
        if fix.speedAccuracy.remove(outside: Self.speeds, "speed accuracy", &ignored), !isTooFast { fix.speed = nil }
        fix.course.remove(outside: Self.courses, "course", &ignored)
        fix.climb.remove(outside: -Self.fastest.value...Self.fastest.value, "climb", &ignored)
        fix.hdop.remove(outside: Self.dilutions, "HDOP", &ignored)
        fix.vdop.remove(outside: Self.dilutions, "VDOP", &ignored)
        fix.pdop.remove(outside: Self.dilutions, "PDOP", &ignored)
        fix.satellites.remove(outside: Self.satelliteCounts, "satellites", &ignored)
        fix.jamming.remove(outside: Self.jammingLevels, "jamming", &ignored)
        return (fix, ignored)
    }
}

extension Optional where Wrapped: Comparable {
    /// Removes a number outside the range, and adds the name of its field; returns whether it removed the number.
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
    /// Removes a quantity outside the range.
    ///
    /// The function compares plain numbers, because a range of quantities could contain NaN.
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
