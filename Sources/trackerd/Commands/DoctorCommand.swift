import ArgumentParser
import Devices
import Hardware
import Motion
import TrackerDaemon
import Upload

/// `trackerd doctor`: checks each part of the tracker.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks each part of the tracker, and reports what is wrong and what to do.",
        discussion: """
            Checks configuration, accelerometer, lines, gpsd and receiver, Bluetooth, database, clock and servers. The \
            command changes nothing and takes some seconds. The exit status is 0 if the vehicle can be tracked, and 1 if not.
            """)

    @Option(help: "The board file that describes the wiring.")
    var board = "bare"

    @Option(help: "The configuration file.")
    var config = Configuration.defaultPath

    @Flag(help: "Write JSON: one object per finding, then one with `canTrack`.")
    var json = false

    func run() throws {
        let clock = BootClock()
        let probes = DeviceProbes(bus: I2CProbe(), line: GPIOProbe(), receiver: GpsdProbe(), adapter: HCIProbe())
        let doctor = Doctor(
            probes: probes, models: Accelerometers.names, targets: TargetProbe(now: clock.now),
            isClockSynchronised: clock.wallTime().isTrusted)
        let facts = doctor.examine(
            config: config, board: board, in: BoardFile.folders(executable: Executable.path))
        let examination = Examination(of: facts)
        let writer = try LineWriter(nil)
        if json {
            for entry in examination.entries { writer.write(FindingLine(entry)) }
            writer.write(VerdictLine(canTrack: examination.canTrack))
        } else {
            writer.write(text: examination.text)
        }
        try writer.finish()
        if !examination.canTrack { throw ExitCode.failure }
    }
}

/// A finding as one JSON object.
private struct FindingLine: Encodable {
    let check: String
    let grade: String
    let text: String
    let mend: String?

    init(_ entry: Examination.Entry) {
        check = entry.check
        grade = entry.finding.grade.rawValue
        text = entry.finding.text
        mend = entry.finding.remedy
    }
}

/// The verdict as one JSON object.
private struct VerdictLine: Encodable {
    let canTrack: Bool
}
