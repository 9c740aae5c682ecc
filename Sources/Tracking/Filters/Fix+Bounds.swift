import Quantities

/// The possible values of a vehicle's fix; receivers, and programs that relay their reports, sometimes report others.
///
/// All fixes from outside pass these checks, from gpsd and from recordings; afterwards each field is finite and within
/// its range.
extension Fix {
    /// No tracked vehicle is faster.
    static let fastest = MetresPerSecond(100)
    private static let speeds = 0...fastest.value
    /// From below the Dead Sea to above the highest road, with a margin for a poor vertical fix.
    private static let heights = -500.0...9000
    /// The geoid is up to 106 m below the ellipsoid, and up to 86 m above.
    private static let ellipsoidHeights = -610.0...9090
    private static let verticalErrors = 0.0...10_000
    private static let courses = 0.0...360
    /// Receivers report at most 100.
    private static let dilutions = 0.0...100
    private static let satelliteCounts = 0...200
    private static let jammingLevels = 0...255

    /// Whether the fix has an impossible speed, which makes the whole fix unusable.
    var isTooFast: Bool { speed.map { $0.value > Self.fastest.value } ?? false }

    /// The fix with nil for each field whose value is impossible, and the names of these fields.
    ///
    /// Impossible errors and speeds are left in place, since the filter rejects the whole fix for them.
    func withinBounds() -> (fix: Fix, ignored: [String]) {
        var bounds = Bounds(fix: self)
        bounds.check("accuracy", \.accuracy, 0...(.infinity))
        bounds.check("altitude", \.altitude, Self.heights)
        bounds.check("height above the ellipsoid", \.ellipsoidAltitude, Self.ellipsoidHeights)
        bounds.check("vertical accuracy", \.verticalAccuracy, Self.verticalErrors)
        bounds.check("speed", \.speed, 0...(.infinity))
        // A speed with an unbounded error is useless.
        if bounds.check("speed accuracy", \.speedAccuracy, Self.speeds), !isTooFast { bounds.fix.speed = nil }
        bounds.check("course", \.course, Self.courses)
        bounds.check("climb", \.climb, -Self.fastest.value...Self.fastest.value)
        bounds.check("HDOP", \.hdop, Self.dilutions) { $0 }
        bounds.check("VDOP", \.vdop, Self.dilutions) { $0 }
        bounds.check("PDOP", \.pdop, Self.dilutions) { $0 }
        bounds.check("satellites", \.satellites, Self.satelliteCounts) { $0 }
        bounds.check("jamming", \.jamming, Self.jammingLevels) { $0 }
        return (bounds.fix, bounds.ignored)
    }
}

/// Removes impossible fields from a fix.
///
/// It compares plain numbers: a range of numbers never contains NaN, while a range of quantities does.
private struct Bounds {
    var fix: Fix
    var ignored: [String] = []

    /// Whether the field was removed.
    @discardableResult
    mutating func check<Value: Quantity>(
        _ name: String, _ field: WritableKeyPath<Fix, Value?>, _ range: ClosedRange<Double>
    ) -> Bool { check(name, field, range) { $0.value } }

    @discardableResult
    mutating func check<Value, Number>(
        _ name: String, _ field: WritableKeyPath<Fix, Value?>, _ range: ClosedRange<Number>, _ number: (Value) -> Number
    ) -> Bool {
        guard let value = fix[keyPath: field], !range.contains(number(value)) else { return false }
        fix[keyPath: field] = nil
        ignored.append(name)
        return true
    }
}
