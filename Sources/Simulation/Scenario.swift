package import Quantities
import Tracking

/// What happens to a vehicle, phase by phase, such as "parked for ten minutes, then two kilometres to a red light".
///
/// Each call adds a phase and returns the longer scenario; `end` and `place` tell when and where it has ended, which is
/// the truth that a tracker is to find out. `recording` is what the sensors report of it: the same for the same seed.
package struct Scenario: Sendable, Hashable {
    /// Something that takes time, or an event between two such.
    struct Phase: Sendable, Hashable {
        /// Whole seconds.
        let length: Int
        let way: Way
        let shaking: Shaking
        let reception: Reception
        var ignition: Bool?
    }

    let seed: UInt64
    let rate: Int
    private(set) var phases: [Phase] = []
    private var reception = Reception.open

    /// When it ends, counted from its beginning.
    package private(set) var end = Duration.zero
    /// Metres from where it began.
    package private(set) var travelled = Metres.zero

    /// Begins with nothing; the accelerometer gives `rate` readings a second, as the chips do at 10 or 25 Hz.
    package init(seed: UInt64, rate: Int = 25) {
        self.seed = seed
        self.rate = rate
    }

    /// Where the vehicle is at the end.
    package var place: Coordinate? { Street.place(travelled.value) }

    /// Stands with the engine off.
    package func park(for length: Duration, shaking: Shaking = .rest) -> Scenario {
        adding(Way.standing, for: length, shaking)
    }

    /// Stands with the engine running.
    package func stand(for length: Duration, shaking: Shaking = .idling) -> Scenario {
        adding(Way.standing, for: length, shaking)
    }

    /// Drives off, and comes to rest after that distance.
    package func drive(
        _ distance: Metres, at speed: MetresPerSecond = .kilometresAnHour(50), shaking: Shaking = .road
    ) -> Scenario {
        let way = Way.driven(distance: distance.value, topSpeed: speed.value)
        return adding(way, for: .seconds(way.driveTime), shaking)
    }

    /// Is carried away at an even speed, by a ship, a train or a lorry.
    package func carry(_ distance: Metres, for length: Duration, shaking: Shaking) -> Scenario {
        adding(.carried(distance: distance.value, speed: distance.value / length.inSeconds), for: length, shaking)
    }

    /// Stands, and a door is slammed: a blow of 1 to 3 m/s² for 0.3 to 0.8 s within the next three seconds.
    package func slamDoor(shaking: Shaking = .rest) -> Scenario {
        var random = SplitMix(seed: seed &+ UInt64(phases.count) &* 0x1_0001)
        let start = random.uniform(0.2...1.8)
        var slammed = shaking
        slammed.blow = .init(
            range: start...(start + random.uniform(0.3...0.8)), level: random.uniform(1...3))
        return adding(.standing, for: .seconds(3), slammed)
    }

    /// From here on the receiver sees this much of the sky.
    package func sky(_ reception: Reception) -> Scenario {
        var longer = self
        longer.reception = reception
        return longer
    }

    /// The ignition is switched; without a call of this the vehicle has no such line.
    package func ignition(isOn: Bool) -> Scenario {
        var longer = self
        longer.phases.append(
            Phase(length: 0, way: .standing, shaking: .rest, reception: reception, ignition: isOn))
        return longer
    }

    private func adding(_ way: Way, for length: Duration, _ shaking: Shaking) -> Scenario {
        let seconds = Int(length.inSeconds.rounded(.up))
        var longer = self
        longer.phases.append(Phase(length: seconds, way: way, shaking: shaking, reception: reception))
        longer.end += .seconds(seconds)
        longer.travelled = longer.travelled + Metres(way.distance)
        return longer
    }
}
