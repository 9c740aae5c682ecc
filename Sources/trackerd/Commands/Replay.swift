import ArgumentParser
import Hardware
import Quantities
import Simulation
import Tracking

/// `trackerd replay`: the very engine, on recorded data, under virtual time.
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the engine on recorded drives under virtual time; writes one JSON object a line.")

    @Argument(help: "CSV, GPX or gpsd JSON, gzipped or not, or a folder of these; several are driven end to end.")
    var drives: [String]

    @Option(help: "How the vehicle is tracked; several, separated by commas, are compared in a table.")
    var profile = "vehicle"

    @Option(help: "Seconds parked between two drives.")
    var gap = 600.0

    @Option(help: "Thin the accelerometer to so many samples a second.")
    var rate: Double?

    @Option(help: "Write the events to this file instead of standard output.")
    var events: String?

    func run() throws {
        var loaded = try drives.map { try DriveReader.read($0) }
        if let rate { for index in loaded.indices { loaded[index].thin(toRate: rate) } }
        let timeline = Timeline(loaded, gap: Duration(inSeconds: gap))
        guard let profile = Profile.named(profile) else { throw ValidationError("no such profile") }
        let writer = try LineWriter(events)
        var replay = Simulation.Replay(timeline, options: profile.options)
        replay.run { effect, now in
            if let line = EventLine(effect, at: now, since: .boot) { writer.write(line) }
        }
        writer.write(SummaryLine(replay.summary, currents: Currents(), from: .boot, to: timeline.end))
        writer.flush()
    }
}
