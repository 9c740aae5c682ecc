import ArgumentParser
import Devices
import Glibc
import Hardware
import Logging
import Motion
import Quantities
import Simulation
import Store
import Tracking
import TrackerDaemon
import Upload

/// `trackerd run`: the daemon.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Tracks the vehicle until told to end (the default).")

    @Option(help: "What is wired to this computer: `bare` (gpsd only), `sim` (repeats a recorded drive), `pi4`, …")
    var board = "bare"

    @Option(help: "The configuration file.")
    var config = Configuration.defaultPath

    @Option(help: "Where gpsd listens, as HOST:PORT; the board's own when left out.")
    var gpsd: String?

    @Option(help: "Log messages of this importance and above: trace, debug, info, notice, warning, error.")
    var logLevel = "info"

    @Option(help: "Write what happens to this file, one JSON object a line.")
    var events: String?

    @OptionGroup(title: "With --board sim")
    var simulation: SimulationOptions

    func validate() throws {
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError(
                "`\(logLevel)` is not a log level. Write trace, debug, info, notice, warning or error.")
        }
        if let gpsd { _ = try GpsdAddress(argument: gpsd) }
    }

    func run() throws {
        // Where a vehicle has been is nobody else's business.
        umask(0o027)
        let configuration = try Configuration.read(config)
        let board = try BoardFile.read(
            named: board, in: BoardFile.folders(executable: Executable.path), changes: configuration.boardChanges,
            models: Accelerometers.names)
        let log = Logger(label: "trackerd") { _ in LineLogHandler(level: Logger.Level(rawValue: logLevel) ?? .info) }
        for note in configuration.notes { log.warning("\(note)") }
        let composition = try compose(board)
        let lock = try QueueLock(path: configuration.storePath)
        defer { withExtendedLifetime(lock) {} }
        let queue = try open(configuration, log: log)
        let uploader = try Uploader(log: log)
        var devices = composition.devices
        devices.currents = board.currents
        let tracker = try Tracker(
            setup: configuration.setup(for: board), queue: queue, devices: devices, clock: composition.clock, log: log,
            control: openControl(configuration.controlSocket, pace: composition.pace, log: log),
            uploads: UploadControl(
                committed: uploader.recordsCommitted, hold: uploader.hold, tryNow: uploader.tryNow),
            openSetAside: { try SetAsideTable(path: configuration.storePath) })
        let start = composition.start
        let writer = try events.map { path throws(OutputError) in try LineWriter(path) }
        if let writer {
            tracker.observer = { effect, stored, now in
                guard let line = EventLine(effect, stored: stored, at: now, since: start) else { return }
                writer.write(line)
                // Somebody may be watching, and a kill must not take what has happened.
                writer.flush()
            }
        }
        let clock = UploadClock(now: { BootClock().now() }, utc: { BootClock().wallTime().time })
        uploader.start(configuration.targets, path: configuration.storePath, clock: clock)
        try tracker.run(until: composition.end)
        uploader.stop()
        writer?.write(
            SummaryLine(tracker.summary, currents: board.currents, from: start, to: composition.clock.now()))
        try writer?.finish()
    }

    private func open(_ configuration: Configuration, log: Logger) throws -> RecordQueue {
        let (queue, setAside) = try RecordQueue.open(path: configuration.storePath, grouping: configuration.grouping)
        queue.retention = Retention(
            days: configuration.options.maxDaysToPersist, records: configuration.options.maxRecordsToPersist,
            targets: configuration.targets.map(\.name))
        if let setAside {
            log.error(
                "\(setAside.error) A new one is begun; the old one lies in \(setAside.path), nothing was deleted.")
        }
        return queue
    }

    /// The socket for commands; nothing when it cannot be had: tracking is worth more than talking about it.
    private func openControl(_ path: String, pace: Double, log: Logger) -> ControlSocket? {
        do throws(ControlSocketError) {
            return try ControlSocket(path: path, pace: pace)
        } catch {
            log.warning("\(error)")
            return nil
        }
    }

    /// The devices and the clock that the board calls for.
    private func compose(_ board: BoardDescription) throws -> Composition {
        let address = try gpsd.map { try GpsdAddress(argument: $0) }
        guard board.isSimulated else {
            guard simulation.isUnused else {
                throw ValidationError("--drive, --speed, --gap, --began and --exit-at-end go with --board sim only.")
            }
            let clock = BootClock()
            return Composition(
                devices: Tracker.Devices(of: board, gpsd: address ?? board.gpsd), clock: clock, start: clock.now(),
                end: nil, pace: 1)
        }
        return try simulation.compose(gpsd: address.map { GpsdReceiver($0) })
    }
}

/// The devices, the clock, and the moments at which the program's world begins and ends.
struct Composition {
    let devices: Tracker.Devices
    let clock: any LoopClock
    let start: Instant
    let end: Instant?
    /// How much faster than life the clock runs.
    let pace: Double
}
