import Control
import Configuration
import ArgumentParser
import Glibc
import Hardware
import Quantities
import Recordings
import Tracking
import TrackingOptions

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replays recorded drives in the tracking engine, and writes one JSON object per line.",
        discussion: "docs/replay.md describes the columns of a drive and the lines of the output.")

    enum Speed: ExpressibleByArgument {
        case max
        case times(Double)

        init?(argument: String) {
            if argument == "max" {
                self = .max
            } else if let factor = Double(argument), (0.001...1e6).contains(factor) {
                self = .times(factor)
            } else {
                return nil
            }
        }
    }

    @Argument(
        help: """
            A drive: a recording of `trackerd record`, or a file in CSV, GPX, gpsd's JSON or NMEA, plain or gzipped. A \
            folder stands for all drives in it. Several drives are replayed one after another.
            """
    )
    var drives: [String] = []

    @Option(help: "Also replay the recordings that this file lists, one path per line.")
    var drivesFrom: String?

    @Option(name: .customLong("repeat"), help: "The number of times to replay all drives.")
    var times = 1

    @Option(help: "The profile; write several profiles, separated by commas, to compare them in a table.")
    var profile: String?

    @Option(
        help:
            "Instead of a profile, use the tracking options, time zone, regions and beacons of this configuration file."
    )
    var config: String?

    @Option(help: "The speed: as fast as possible (max), or a multiple of real time.")
    var speed = Speed.max

    @Option(help: "The parking time between two drives, in seconds.")
    var gap = 600.0

    @Option(help: "Reduce the accelerometer data to this number of samples per second.")
    var rate: Double?

    @Option(help: "The board file; the command estimates the charge from the currents in this file.")
    var board = "sim"

    @Option(help: "Write the output to this file instead of standard output.")
    var events: String?

    @Flag(help: "Write only the last line, the summary.")
    var summary = false

    func validate() throws {
        guard !drives.isEmpty || drivesFrom != nil else { throw ValidationError("Add at least one drive.") }
        guard (1...1_000_000).contains(times) else { throw ValidationError("--repeat must be from 1 to 1000000.") }
        guard profile == nil || config == nil else { throw ValidationError("Use --profile or --config, not both.") }
        guard (0...1e8).contains(gap) else { throw ValidationError("--gap must be from 0 to 100000000.") }
        if let rate, !(rate > 0) { throw ValidationError("--rate must be above 0.") }
    }

    func run() throws {
        let board = try BoardFile.read(named: board, in: BoardFile.folders(executable: Executable.path))
        let choices = try choices(board)
        let timeline = try Timeline(
            reading: drives + listed(), gap: Duration(inSeconds: gap), times: times, rate: rate)
        if choices.count > 1 {
            try compare(choices, on: timeline, board.currents)
        } else {
            try write(choices[0].setup, on: timeline, board.currents)
        }
        if let failure = timeline.failure { throw failure }
    }

    private func listed() throws -> [String] {
        guard let drivesFrom else { return [] }
        return try DriveReader.readList(drivesFrom)
    }

    private func choices(_ board: BoardDescription) throws -> [(name: String, setup: EngineConfiguration)] {
        if let config {
            var setup = try Configuration.read(config).setup(for: board)
            // A recording may be older than the program, so accept dates from before the release of the program.
            setup.notBefore = ReleaseDate.earliest
            return [(config, setup)]
        }
        return try (profile ?? Profile.vehicle.name).split(separator: ",").map { name in
            let profile = try Profile.read(String(name))
            return (profile.name, EngineConfiguration(options: profile.options))
        }
    }

    private func write(_ setup: EngineConfiguration, on timeline: Timeline, _ currents: Currents) throws {
        let writer = try LineWriter(events)
        let began = ContinuousClock.now
        var replay = Replay(timeline, setup, clock: timeline.date)
        let writesEvents = !summary
        replay.run { effect, now in
            guard writesEvents, let line = EventLine(effect, at: now, since: .boot) else { return }
            if case .times(let factor) = speed {
                writer.flush()
                let rest = Duration(inSeconds: (now - .boot).inSeconds / factor) - (ContinuousClock.now - began)
                if rest > .zero { pause(rest) }
            }
            writer.write(line)
        }
        writer.write(SummaryLine(replay.summary, currents: currents, from: .boot, to: timeline.end))
        try writer.finish()
        try checkFixes(of: replay)
    }

    /// Throws if every fix was rejected, because the figures then do not describe the drives.
    private func checkFixes(of replay: Recordings.Replay) throws {
        let refused = replay.summary.refused.filter { $0.key != .noFix }.sorted { $0.key.rawValue < $1.key.rawValue }
        guard replay.engine.lastFix == nil, !refused.isEmpty else { return }
        let reasons = refused.map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
        throw CommandError(
            "trackerd used no fix of the drive (\(reasons)). Check the recording; docs/replay.md explains the reasons.")
    }

    private func pause(_ span: Duration) {
        var rest = span
        while rest > .zero {
            // One call of `usleep` can wait for little more than an hour, because it takes 32 bits of microseconds.
            let part = min(rest, .seconds(60))
            usleep(UInt32(part.inSeconds * 1e6))
            rest -= part
        }
    }

    private func compare(
        _ choices: [(name: String, setup: EngineConfiguration)], on timeline: Timeline, _ currents: Currents
    ) throws {
        var rows = [["profile", "trips", "stops", "records", "receiver on", "charge", "worst cross-track error"]]
        for choice in choices {
            var replay = Replay(timeline, choice.setup, clock: timeline.date, measuring: CrossTrack())
            replay.run { _, _ in }
            let receiverOn = replay.summary.receiverTime(at: timeline.end)
            let charge = currents.charge(over: timeline.end - .boot, receiverOn: receiverOn)
            rows.append([
                choice.name.printable(), "\(replay.summary.trips)", "\(replay.summary.stops)",
                "\(replay.summary.records)",
                "\(Int(receiverOn.inSeconds.rounded())) s", "\(Int(charge.rounded())) mAh",
                "\(Int((replay.crossTrack?.worst ?? .zero).value.rounded())) m",
            ])
        }
        let writer = try LineWriter(events)
        writer.write(text: TextTable.lines(rows, right: Set(1...6)).joined(separator: "\n"))
        try writer.finish()
    }
}
