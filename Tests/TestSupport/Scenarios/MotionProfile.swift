import Quantities

/// The motion of a vehicle in a phase of a scenario, in metres and seconds from the start of the phase.
enum MotionProfile: Sendable, Hashable {
    case standing
    case driven(distance: Double, topSpeed: Double)
    case carried(distance: Double, speed: Double)

    /// Typical acceleration and braking in traffic, in m/s².
    private static let acceleration = 1.5
    private static let braking = 2.0

    /// In metres.
    var distance: Double {
        switch self {
        case .standing: 0
        case .driven(let distance, _), .carried(let distance, _): distance
        }
    }

    func state(at seconds: Double) -> (distance: Double, speed: Double, acceleration: Double) {
        switch self {
        case .standing: (0, 0, 0)
        case .carried(let distance, let speed): (min(distance, speed * seconds), speed, 0)
        case .driven(let distance, _): driven(distance, at: seconds)
        }
    }

    /// The time from start to stop in seconds, rounded up.
    var driveTime: Int { Int((distance / peak + peak / 2 * (1 / Self.acceleration + 1 / Self.braking)).rounded(.up)) }

    /// The highest speed of the drive; a short drive does not reach `topSpeed`.
    private var peak: Double {
        guard case .driven(let distance, let topSpeed) = self else { return 0 }
        let reachable = (2 * distance / (1 / Self.acceleration + 1 / Self.braking)).squareRoot()
        return min(topSpeed, reachable)
    }

    private func driven(_ whole: Double, at seconds: Double) -> (distance: Double, speed: Double, acceleration: Double)
    {
        let (gaining, losing) = (peak / Self.acceleration, peak / Self.braking)
        let cruising = (whole - peak / 2 * (gaining + losing)) / peak
        let left = gaining + cruising + losing - seconds
        if seconds < gaining {
            return (Self.acceleration * seconds * seconds / 2, Self.acceleration * seconds, Self.acceleration)
        }
        if left <= 0 { return (whole, 0, 0) }
        if left < losing { return (whole - Self.braking * left * left / 2, Self.braking * left, -Self.braking) }
        return (peak * (seconds - gaining / 2), peak, 0)
    }
}

/// The street of all scenarios: blocks of 800 m, alternating east and north.
enum Street {
    private static let block = 800.0
    private static let beginning = Coordinate(latitude: 52.374031, longitude: 4.889692)

    static func place(_ travelled: Double) -> Coordinate? {
        let pairs = (travelled / (2 * block)).rounded(.down)
        let rest = travelled - pairs * 2 * block
        let east = Metres(pairs * block + min(rest, block))
        let north = Metres(pairs * block + max(0, rest - block))
        return beginning?.moved(east: east, north: north)
    }

    /// In degrees; `travelled` is in metres.
    static func course(_ travelled: Double) -> Double {
        Int(travelled / block).isMultiple(of: 2) ? 90 : 0
    }
}
