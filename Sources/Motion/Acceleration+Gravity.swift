package import Quantities

extension Acceleration {
    /// Gravity by agreement (the third CGPM, 1901), in which data sheets write accelerations.
    package static let gravity = Acceleration(9.80665)

    /// A thousandth of gravity, `count` times.
    static func milligravities(_ count: Double) -> Acceleration { gravity * (count / 1000) }

    /// How many steps of this size reach this acceleration: rounded up, at least 1, at most `limit`.
    ///
    /// A threshold of 0 would be exceeded by noise, and one rounded down by less than was asked for.
    func steps(of size: Acceleration, atMost limit: UInt8) -> UInt8 {
        let steps = (self / size).rounded(.up)
        return steps > 1 ? UInt8(min(steps, Double(limit))) : 1
    }
}
