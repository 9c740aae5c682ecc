import ArgumentParser
import Configuration
import Control
import Devices
import Glibc
import Hardware
import Logging
import Motion
import Quantities
import Recordings
import Store
import TrackerDaemon
import Tracking
import TrackingOptions
import Upload

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tracks the vehicle until you stop the program (the default command).")

    @Option(
        help: """
            The board file that describes the wiring: `bare` (gpsd only), `sim` (replays a recorded drive), `pi4`, …; `auto` \
            chooses the board file of this computer. By default the `board` of the configuration, or else `bare`.
            """)
    var board: String?

    @Option(help: "The configuration file.")
    var config = Configuration.defaultPath

    @Option(
        help:
            "The address of gpsd, HOST:PORT, instead of the one in the board file; the `device` in the board file remains in force."
    )
    var gpsd: String?

    @Option(help: "Log messages of at least this level: trace, debug, info, notice, warning, error.")
    var logLevel = "info"

    @Option(
        help:
            "Write events to this file or pipe, one JSON object per line. If no process reads the pipe, trackerd drops events."
    )
    var events: String?

    @Flag(
        help:
            "Continue as root if root starts the daemon. Without this flag, the daemon continues as the user `trackerd` if that user exists."
    )
    var allowRoot = false

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
        // Other users must not be able to read the positions of the vehicle.
        umask(0o027)
        let hasDroppedRoot = try !allowRoot && DroppedRoot.drop()
        let configuration = try Configuration.read(config, needsSecrets: false)
        let board = try describeBoard(configuration)
        let log = Logger(label: "trackerd") { _ in LineLogHandler(level: Logger.Level(rawValue: logLevel) ?? .info) }
        for note in configuration.notes + configuration.folderProblems() { log.warning("\(note)") }
        if let note = InheritedEnvironment.note { log.notice("\(note)") }
        if hasDroppedRoot { log.notice("\(DroppedRoot.note)") }
        let composition = try compose(board)
        try checkFolders(of: configuration)
        let lock = try QueueLock(path: configuration.storePath)
        defer { withExtendedLifetime(lock) {} }
        let history = StartHistory(boot: BootClock().bootID)
        let safeMode = SafeMode(after: history.unended, serving: history.targets, at: BootClock().now())
        history.note(BootClock().now())
        try track(
            Parts(
                configuration: configuration, board: board, composition: composition, safeMode: safeMode,
                history: history, log: log), lock)
    }

    /// What a run of the daemon needs besides the tracker.
    private struct Parts {
        let configuration: Configuration
        let board: BoardDescription
        let composition: Composition
        let safeMode: SafeMode?
        let history: StartHistory
        let log: Logger
        let alarm = QueueAlarm()
    }

    private func track(_ parts: Parts, _ lock: QueueLock) throws {
        let (composition, safeMode, log) = (parts.composition, parts.safeMode, parts.log)
        let uploader = try UploadThread(log: log)
        let tracker = try makeTracker(of: parts, lock, uploads: uploader.handle)
        let feed = feed(of: tracker, since: composition.start, log: log)
        start(uploader, parts)
        let end = safeMode == nil ? nil : composition.start + SafeMode.duration
        let ending: Tracker.Ending
        do {
            ending = try tracker.run(until: .earliest(composition.end, end))
        } catch {
            // Log the error instead of throwing it, because ArgumentParser would wait until a process reads standard error.
            log.error("\(error)")
            // Lost records are a fault of the disk, so do not count this end as a crash.
            if error is LostRecords { parts.history.replace(by: []) }
            throw ExitCode.failure
        }
        uploader.stop()
        feed?.write(
            SummaryLine(
                tracker.runner.summary, currents: parts.board.currents, from: composition.start,
                to: composition.clock.now()))
        feed?.finish()
        parts.history.replace(by: [])
        if ending == .restart {
            log.notice("trackerd restarts, because a request asked for it.")
            throw Executable.restart()
        }
        if let end, ending == .time, composition.end.map({ end < $0 }) ?? true {
            parts.history.replace(by: SafeMode.attempt(at: BootClock().now()), targets: safeMode?.attemptTargets ?? [])
            log.notice("Safe mode ends: trackerd restarts, and tries to upload and to scan for beacons again.")
            throw Executable.restart()
        }
    }

    private func makeTracker(of parts: Parts, _ lock: QueueLock, uploads: UploadHandle) throws -> Tracker {
        let (configuration, board, composition) = (parts.configuration, parts.board, parts.composition)
        let (queue, absence) = try RecordQueue.open(
            path: configuration.storePath, grouping: configuration.grouping, alarm: parts.alarm, lock: lock)
        // The engine sets the other limits when it starts, because commands and the server may have changed them.
        queue.retention = Retention(targets: configuration.targets.map(\.name))
        var devices = composition.devices
        devices.currents = board.currents
        if parts.safeMode?.stopsScanner == true { devices.scanner = nil }
        var setup = configuration.setup(for: board)
        if let earliest = composition.earliestDate { setup.notBefore = min(setup.notBefore, earliest) }
        setup.program.version = Executable.release
        let (pace, alarm) = (composition.clock.pace, parts.alarm)
        let tracker = try Tracker(
            setup: setup, queue: queue, devices: devices, clock: composition.clock, log: parts.log,
            control: open(configuration.controlSocket, for: .command, pace: pace, log: parts.log),
            reading: configuration.readSocket.flatMap { open($0, for: .read, pace: pace, log: parts.log) },
            uploads: parts.safeMode.map(uploads.leavingOut) ?? uploads, alarm: alarm, absence: absence,
            openSetAside: { try SetAsideTable(path: configuration.storePath, alarm: alarm) },
            safeMode: parts.safeMode)
        equip(tracker, configuration, board, pace: pace)
        return tracker
    }

    private func start(_ uploader: UploadThread, _ parts: Parts) {
        guard parts.safeMode?.targets.isEmpty != true else { return }
        uploader.start(
            parts.configuration.targets.filter { parts.safeMode?.leavesOut($0.name) != true },
            path: parts.configuration.storePath, alarm: parts.alarm,
            clock: UploadClocks(now: { BootClock().now() }, utc: { BootClock().wallTime().time }),
            mark: parts.history.target.set)
    }

    private func checkFolders(of configuration: Configuration) throws {
        let paths = [configuration.storePath, configuration.controlSocket, configuration.readSocket]
        try FolderOfAnother.check((paths + [configuration.metrics?.textfile, events]).compactMap(\.self))
    }

    private func equip(
        _ tracker: Tracker, _ configuration: Configuration, _ board: BoardDescription, pace: Double
    ) {
        tracker.runner.orders.permissions = RemoteControl(configuration)
        let choices = (self.board.map { ["--board", $0] } ?? []) + (gpsd.map { ["--gpsd", $0] } ?? [])
        tracker.clients.doctor = DoctorDesk(
            command: ["/proc/self/exe", "doctor", "--json", "--config", config] + choices, pace: pace)
        tracker.writeMetrics(configuration.metrics)
        tracker.runner.program = RunningProgram(
            device: configuration.device,
            // Compare each changed file with the file at the start, so that several reloads cannot change a fixed setting.
            readConfiguration: { () throws(ConfigurationError) in
                let changed = try Configuration.read(config)
                return try ConfigurationChange(
                    file: config, from: (configuration, board), to: (changed, describeBoard(changed)))
            },
            checkStart: { () throws(ConfigurationError) in
                _ = try describeBoard(Configuration.read(config, needsSecrets: false))
            })
    }

    private func describeBoard(_ configuration: Configuration) throws(ConfigurationError) -> BoardDescription {
        try BoardFile.read(
            named: board, in: BoardFile.folders(executable: Executable.path), entry: configuration.board,
            models: Accelerometers.names)
    }

    /// Nil without `--events`.
    private func feed(of tracker: Tracker, since start: Instant, log: Logger) -> EventFeed? {
        guard let events else { return nil }
        let feed = EventFeed(path: events, log: log)
        tracker.runner.observe { effect, stored, now in
            guard let line = EventLine(effect, stored: stored, at: now, since: start) else { return }
            feed.write(line)
        }
        return feed
    }

    /// Nil if the socket cannot be opened, because tracking must continue.
    private func open(
        _ path: String, for access: ControlSocket.Access, pace: Double, log: Logger
    ) -> ControlSocket? {
        do throws(ControlError) {
            return try ControlSocket(path: path, access: access, pace: pace)
        } catch {
            log.warning("\(error)")
            return nil
        }
    }

    private func compose(_ board: BoardDescription) throws -> Composition {
        let address = try gpsd.map { try GpsdAddress(argument: $0, device: board.gpsd.device) }
        guard board.isSimulated else {
            guard simulation.isUnused else {
                throw ValidationError(
                    "--drive, --speed, --gap, --began, --clock-unset and --exit-at-end need --board sim.")
            }
            let clock = BootClock()
            return Composition(
                devices: TrackerDevices(of: board, gpsd: address ?? board.gpsd), clock: clock, start: clock.now(),
                end: nil)
        }
        return try simulation.compose(gpsd: address.map { GpsdReceiver($0) })
    }
}

extension GpsdAddress {
    /// `HOST:PORT`, `[IPv6]:PORT` or `HOST`; `device` is the receiver's path in this gpsd.
    init(argument text: String, device: String? = nil) throws {
        let colon = text.hasSuffix("]") ? nil : text.lastIndex(of: ":")
        let name = String(text[..<(colon ?? text.endIndex)])
        let port = colon.map { UInt16(text[text.index(after: $0)...]) ?? 0 } ?? 2947
        guard !name.isEmpty, port > 0 else {
            throw ValidationError(
                "`\(text)` is not a gpsd address. Write HOST:PORT with a port from 1 to 65535, such as localhost:2947.")
        }
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        self.init(host: isBracketed ? String(name.dropFirst().dropLast()) : name, port: port, device: device)
    }
}
