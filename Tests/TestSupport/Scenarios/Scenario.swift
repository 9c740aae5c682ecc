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
        let motion: MotionProfile
        let vibration: VibrationProfile
        let skyView: SkyView
        var ignition: Bool?
    }

    let seed: UInt64
    let rate: Int
    private(set) var phases: [Phase] = []
    private var skyView = SkyView.open

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
    package func park(for length: Duration, vibration: VibrationProfile = .rest) -> Scenario {
        adding(MotionProfile.standing, for: length, vibration)
    }

    /// Stands with the engine running.
    package func stand(for length: Duration, vibration: VibrationProfile = .idling) -> Scenario {
        adding(MotionProfile.standing, for: length, vibration)
    }

    /// Drives off, and comes to rest after that distance.
    package func drive(
        _ distance: Metres, at speed: MetresPerSecond = .kilometresAnHour(50), vibration: VibrationProfile = .road
    ) -> Scenario {
        let motion = MotionProfile.driven(distance: distance.value, topSpeed: speed.value)
        return adding(motion, for: .seconds(motion.driveTime), vibration)
    }

    /// Is carried away at an even speed, by a ship, a train or a lorry.
    package func carry(_ distance: Metres, for length: Duration, vibration: VibrationProfile) -> Scenario {
        adding(.carried(distance: distance.value, speed: distance.value / length.inSeconds), for: length, vibration)
    }

    /// Stands, and a door is slammed: a blow of 1 to 3 m/s² for 0.3 to 0.8 s within the next three seconds.
    package func slamDoor(vibration: VibrationProfile = .rest) -> Scenario {
        var random = SplitMix(seed: seed &+ UInt64(phases.count) &* 0x1_0001)
        let start = random.uniform(0.2...1.8)
        var slammed = vibration
        slammed.blow = .init(
            range: start...(start + random.uniform(0.3...0.8)), level: random.uniform(1...3))
        return adding(.standing, for: .seconds(3), slammed)
    }

    /// From here on the receiver sees this much of the sky.
    package func sky(_ skyView: SkyView) -> Scenario {
        var longer = self
        longer.skyView = skyView
        return longer
    }

    /// The ignition is switched; without a call of this the vehicle has no such line.
    package func ignition(isOn: Bool) -> Scenario {
        var longer = self
        longer.phases.append(
            Phase(length: 0, motion: .standing, vibration: .rest, skyView: skyView, ignition: isOn))
        return longer
    }

    private func adding(_ motion: MotionProfile, for length: Duration, _ vibration: VibrationProfile) -> Scenario {
        let seconds = Int(length.inSeconds.rounded(.up))
        var longer = self
        longer.phases.append(Phase(length: seconds, motion: motion, vibration: vibration, skyView: skyView))
        longer.end += .seconds(seconds)
        longer.travelled = longer.travelled + Metres(motion.distance)
        return longer
    }
}

extension Duration {
    /// So many minutes.
    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
}

extension Metres {
    /// So many kilometres.
    package static func kilometres(_ count: Double) -> Metres { Metres(count * 1000) }
}

extension MetresPerSecond {
    /// So many kilometres an hour.
    package static func kilometresAnHour(_ count: Double) -> MetresPerSecond { MetresPerSecond(count / 3.6) }
}
