import Quantities

/// What a vehicle on the earth can have; receivers, and programs between them and us, sometimes report other numbers.
///
/// All fixes from outside pass here, from gpsd as from recordings: behind it each field is finite and within its range.
extension Fix {
    /// No vehicle of ours is faster.
    static let fastest = MetresPerSecond(100)
    private static let speeds = 0...fastest.value
    /// From below the Dead Sea to above each road, with room for a poor vertical fix.
    private static let heights = -500.0...9000
    /// The geoid lies up to 106 m below the ellipsoid, and up to 86 m above.
    private static let ellipsoidHeights = -610.0...9090
    private static let verticalErrors = 0.0...10_000
    private static let courses = 0.0...360
    /// Receivers state 100 at most.
    private static let dilutions = 0.0...100
    private static let satelliteCounts = 0...200
    private static let jammingLevels = 0...255

    /// Whether it states a speed that no vehicle reaches; then nothing of it is to be believed.
    var isTooFast: Bool { speed.map { $0.value > Self.fastest.value } ?? false }

    /// The fix with nil for each field that no vehicle can have, and the names of these fields.
    ///
    /// Errors and speeds beyond all bounds stay: the filter refuses the whole fix for them.
    func withinBounds() -> (fix: Fix, ignored: [String]) {
        var bounds = Bounds(fix: self)
        bounds.check("accuracy", \.accuracy, 0...(.infinity))
        bounds.check("altitude", \.altitude, Self.heights)
        bounds.check("height above the ellipsoid", \.ellipsoidAltitude, Self.ellipsoidHeights)
        bounds.check("vertical accuracy", \.verticalAccuracy, Self.verticalErrors)
        bounds.check("speed", \.speed, 0...(.infinity))
        // A speed that may be wrong by any amount is none.
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

/// Takes fields out of a fix.
///
/// NaN lies in no range of numbers, though it does in one of quantities.
private struct Bounds {
    var fix: Fix
    var ignored: [String] = []

    /// Whether the field had to go.
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
