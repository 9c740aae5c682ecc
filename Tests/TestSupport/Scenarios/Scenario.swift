package import Quantities
import Tracking

/// An artificial history of a vehicle in phases, such as "parked for ten minutes, then two kilometres to a red light".
///
/// Each function that adds a phase returns the longer scenario. `end` and `place` are the true time and position at the end of
/// the scenario. The tracker must find both from the sensors' reports in `recording`. Equal seeds produce equal reports.
package struct Scenario: Sendable, Hashable {
    /// A span of time, or an event of length zero.
    struct Phase: Sendable, Hashable {
        /// Length in whole seconds.
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

    package private(set) var end = Duration.zero
    package private(set) var travelled = Metres.zero

    /// Makes an empty scenario; `rate` is the sample rate of the accelerometer in Hz, on real chips 12.5, 25 or 26.
    package init(seed: UInt64, rate: Int = 25) {
        self.seed = seed
        self.rate = rate
    }

    package var place: Coordinate? { Street.place(travelled.value) }

    /// Adds a phase in which the vehicle is parked with the engine off.
    package func park(for length: Duration, vibration: VibrationProfile = .rest) -> Scenario {
        adding(MotionProfile.standing, for: length, vibration)
    }

    /// Adds a phase in which the vehicle stands with the engine running.
    package func stand(for length: Duration, vibration: VibrationProfile = .idling) -> Scenario {
        adding(MotionProfile.standing, for: length, vibration)
    }

    /// Adds a drive that ends at rest after `distance`.
    package func drive(
        _ distance: Metres, at speed: MetresPerSecond = .kilometresAnHour(50), vibration: VibrationProfile = .road
    ) -> Scenario {
        let motion = MotionProfile.driven(distance: distance.value, topSpeed: speed.value)
        return adding(motion, for: .seconds(motion.driveTime), vibration)
    }

    /// Adds a phase in which a ship, a train or a lorry carries the vehicle at constant speed.
    package func carry(_ distance: Metres, for length: Duration, vibration: VibrationProfile) -> Scenario {
        adding(.carried(distance: distance.value, speed: distance.value / length.inSeconds), for: length, vibration)
    }

    /// Adds three seconds in which the vehicle stands and a door is slammed: a shock for 0.3 to 0.8 s.
    ///
    /// During the shock, the standard deviation of the acceleration is 1 to 3 m/s².
    package func slamDoor(vibration: VibrationProfile = .rest) -> Scenario {
        var random = SplitMix(seed: seed &+ UInt64(phases.count) &* 0x1_0001)
        let start = random.uniform(0.2...1.8)
        var slammed = vibration
        slammed.shock = .init(
            range: start...(start + random.uniform(0.3...0.8)), level: random.uniform(1...3))
        return adding(.standing, for: .seconds(3), slammed)
    }

    /// Changes the receiver's view of the sky for the following phases.
    package func sky(_ skyView: SkyView) -> Scenario {
        var longer = self
        longer.skyView = skyView
        return longer
    }

    /// Switches the ignition; a scenario without this call has no ignition line.
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
    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
}

extension Metres {
    package static func kilometres(_ count: Double) -> Metres { Metres(count * 1000) }
}

extension MetresPerSecond {
    package static func kilometresAnHour(_ count: Double) -> MetresPerSecond { MetresPerSecond(count / 3.6) }
}
