import TrackerDaemon
import ArgumentParser
import Devices
import Hardware
import Quantities
import Recordings

struct SimulationOptions: ParsableArguments {
    @Option(help: "A recorded drive; repeat this option to replay several drives one after another.")
    var drive: [String] = []

    @Option(help: "The speed of the simulation, as a multiple of real time; it is lower on a busy computer.")
    var speed = 1.0

    @Option(help: "The parking time between two drives, in seconds.")
    var gap = 600.0

    @Option(
        help:
            "The real time at which the replay began, in seconds since 1970; a restart with the same value resumes the replay. By default now."
    )
    var began: Double?

    @Flag(help: "Leave the simulated board's clock unset, so that only a fix provides the time.")
    var clockUnset = false

    @Flag(help: "Exit after the last drive.")
    var exitAtEnd = false

    var isUnused: Bool { drive.isEmpty && speed == 1 && gap == 600 && began == nil && !exitAtEnd && !clockUnset }

    func validate() throws {
        guard speed > 0, speed <= 10_000 else { throw ValidationError("--speed must be above 0 and at most 10000.") }
        guard (0...1e8).contains(gap) else { throw ValidationError("--gap must be from 0 to 100000000.") }
    }

    /// Fixes come from `gpsd`; if it is nil, from the drive.
    func compose(gpsd: (any Receiver)?) throws -> Composition {
        guard !drive.isEmpty else {
            throw ValidationError("--board sim replays a recorded drive. Choose a drive with --drive.")
        }
        let timeline = try Timeline(reading: drive, gap: Duration(inSeconds: gap))
        let real = BootClock()
        let past = began.map { Double(real.wallTime().time.milliseconds) / 1000 - $0 } ?? 0
        let clock = ScaledClock(
            real: real, began: real.now() - Duration(inSeconds: past), speed: speed,
            isSet: !clockUnset, date: gpsd == nil ? timeline.date : SimulatedDate.epoch, canLag: gpsd == nil)
        return Composition(
            devices: .init(
                receiver: gpsd ?? DriveReceiver(timeline), motionSensor: DriveSensor(timeline, from: clock.now())),
            clock: clock, start: .boot, end: exitAtEnd ? timeline.end : nil,
            earliestDate: timeline.earliestDate)
    }
}
