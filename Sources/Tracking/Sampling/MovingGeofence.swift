import Quantities

/// Records when the vehicle has left the surroundings of the last record, and asks for a fix as soon as the vehicle may have (Radar).
///
/// With the receiver off nothing sees where the vehicle is: what tells is the speed that it had.
enum MovingGeofence {
    /// Whether a fix lies outside.
    static func isLeft(by fix: AcceptedFix, after last: EngineState.Recorded, radius: Metres) -> Bool {
        last.coordinate.distance(to: fix.coordinate) > radius
    }

    /// Time in which the vehicle covers the radius at this speed; nothing when it stands or the speed is unknown.
    static func time(to radius: Metres, at speed: MetresPerSecond?) -> Duration? {
        guard let speed, speed.value > 0.5 else { return nil }
        return Duration(inSeconds: radius.value / speed.value)
    }
}
