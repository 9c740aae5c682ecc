import Quantities

/// Asks for the next fix as soon as the vehicle may have left the surroundings of the last record (Radar).
///
/// With the receiver off nothing sees where the vehicle is: what tells is the speed that it had.
enum MovingGeofence {
    /// Time in which the vehicle covers the radius at this speed; nothing when it stands or the speed is unknown.
    static func time(to radius: Metres, at speed: MetresPerSecond?) -> Duration? {
        guard let speed, speed.value > 0.5 else { return nil }
        return Duration(inSeconds: radius.value / speed.value)
    }
}
