import Motion
import Quantities
package import Recordings
import Tracking

extension Scenario {
    /// The reports of accelerometer, receiver and ignition line.
    package var recording: Drive {
        var recorder = ScenarioRecorder(self)
        for phase in phases { recorder.add(phase) }
        return recorder.drive
    }
}

private struct ScenarioRecorder {
    private let rate: Int
    private var shaker: Shaker
    private var receiver: ReceiverNoise
    private var second = 0
    private var travelled = 0.0
    private(set) var drive = Drive()

    init(_ scenario: Scenario) {
        rate = scenario.rate
        // The recorder uses two random sequences, so a change of the receiver's noise does not change the vibration.
        shaker = Shaker(seed: scenario.seed &* 2)
        receiver = ReceiverNoise(seed: scenario.seed &* 2 &+ 1)
        let seconds = Int(scenario.end.inSeconds)
        drive.samples.reserveCapacity(seconds * rate)
        drive.fixes.reserveCapacity(seconds)
    }

    mutating func add(_ phase: Scenario.Phase) {
        if let isOn = phase.ignition { drive.others.append(.init(.seconds(second), .ignition(isOn: isOn))) }
        for elapsed in 0..<phase.length {
            let state = phase.motion.state(at: Double(elapsed))
            shake(phase, after: elapsed, acceleration: state.acceleration)
            report(phase, state.distance, state.speed)
            second += 1
        }
        travelled += phase.motion.distance
    }

    private mutating func shake(_ phase: Scenario.Phase, after elapsed: Int, acceleration: Double) {
        let level = shaker.level(of: phase.vibration, second: second, isNew: elapsed == 0)
        let spacing = 1_000_000 / rate
        for index in 0..<rate {
            var level = level
            if let shock = phase.vibration.shock {
                let isStruck = shock.range.contains(Double(elapsed) + Double(index) / Double(rate))
                level = isStruck ? shock.level : level
            }
            let time = Duration.microseconds(second * 1_000_000 + index * spacing)
            drive.samples.append(.init(time, shaker.sample(level: level, acceleration: acceleration)))
        }
    }

    private mutating func report(_ phase: Scenario.Phase, _ distance: Double, _ speed: Double) {
        let travelled = travelled + distance
        let fix = receiver.report(
            phase.skyView, at: Street.place(travelled), speed: speed, course: Street.course(travelled), second: second
        )
        if let fix { drive.fixes.append(.init(.seconds(second), fix)) }
    }
}
