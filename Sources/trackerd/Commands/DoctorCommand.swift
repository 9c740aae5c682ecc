import ArgumentParser
import Configuration
import Control
import Devices
import Doctor
import Glibc
import Hardware
import Motion
import TrackerDaemon
import Upload

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks each part of the tracker, and reports each fault with its remedy.",
        discussion: """
            The command takes some seconds, and checks the configuration, the devices of the board, gpsd, the files and \
            permissions that the daemon needs, the database, the clock and the servers. To test the interrupt wire, it inverts the \
            chip's pin for some milliseconds, and then sets the chip up to detect motion; otherwise it changes nothing. The \
            exit status is 0 if the vehicle can be tracked, and 1 if not. With --watch, the command only tests a wire; the \
            exit status is 1 if the test does not show that the wire works.
            """)

    @Option(
        help:
            "The board file that describes the wiring, instead of the configured one; `auto` chooses the board file of this computer."
    )
    var board: String?

    @Option(help: "The configuration file.")
    var config = Configuration.defaultPath

    @Option(help: "The address of gpsd, HOST:PORT, instead of the one in the board file.")
    var gpsd: String?

    @Flag(help: "Write JSON: one object per finding, then an object with `canTrack`.")
    var json = false

    @Option(
        help:
            "Report the changes on a wire for a minute while you test the wire: interrupt, ignition, private, powerFail or supply. Stop the daemon first."
    )
    var watch: WireTrial.Wire?

    func validate() throws {
        if let gpsd { _ = try GpsdAddress(argument: gpsd) }
    }

    func run() throws {
        if let watch { return try run(watch) }
        let clock = BootClock()
        let doctor = Doctor.ofThisComputer(clock, isClockSynchronised: clock.wallTime().isTrusted)
        var facts = try doctor.examine(
            config: config, board: board, gpsd: gpsd.map { try GpsdAddress(argument: $0) },
            in: BoardFile.folders(executable: Executable.path))
        facts.askDaemon(at: ControlSection.socket(in: config))
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

extension WireTrial.Wire: ExpressibleByArgument {}

extension Doctor {
    static func ofThisComputer(_ clock: BootClock, isClockSynchronised: Bool) -> Doctor {
        let probes = DeviceProbes(
            bus: I2CProbe(), wire: InterruptProbe(), line: GPIOProbe(), receiver: GpsdProbe(), adapter: HCIProbe(),
            monitor: INA219Probe(), system: SystemFileProbe())
        return Doctor(
            probes: probes, models: Accelerometers.names, targets: TargetProbe(now: clock.now),
            isClockSynchronised: isClockSynchronised)
    }
}

extension Facts {
    /// Asks the daemon for its faults if lines are in use, because only the user of a line can read it.
    fileprivate mutating func askDaemon(at socket: String) {
        let usesLines = lines.contains { line in if case .held = line.facts { true } else { false } }
        guard usesLines else { return }
        let status = try? ControlClient(path: socket).ask(StatusRequest.self)
        daemonFaults = status?.faults ?? []
    }
}

extension DoctorCommand {
    private static let trialTime = Duration.seconds(60)

    /// The exit status is 1 if the trial does not show that the wire works.
    private func run(_ wire: WireTrial.Wire) throws {
        // With `--board`, the configuration does not matter; without either, the board is `bare`.
        let isConfigured = board == nil && access(config, F_OK) == 0
        let entry = isConfigured ? try Configuration.read(config).board : nil
        let board = try BoardFile.read(
            named: board, in: BoardFile.folders(executable: Executable.path), entry: entry,
            models: Accelerometers.names)
        guard let source = TrialSource(wire, of: board) else {
            throw ValidationError(
                "the board `\(board.name)` has no wire `\(wire.rawValue)`. Choose another board with --board.")
        }
        let clock = BootClock()
        let loop = try EventLoop(clock: clock)
        let works = try WireTrial(wire, source: source.input, clock: clock).run(
            for: Self.trialTime, wait: { try loop.wait(for: [source.input], until: $0).signal != .stop },
            report: { print($0) })
        guard !works else { return }
        if let fault = source.interrupt?.conclusion() { print("\(fault)") }
        throw ExitCode.failure
    }
}

private struct TrialSource {
    let input: any EventSource
    let interrupt: InterruptTrial?

    /// Nil if the board does not have this wire, or if the accelerometer's model is unknown.
    init?(_ wire: WireTrial.Wire, of board: BoardDescription, lines: any LineProvider = GPIOLines()) {
        var trial: InterruptTrial?
        switch wire {
        case .interrupt:
            guard let wiring = board.accelerometer, let line = wiring.interrupt,
                let chip = Accelerometers.named(wiring.model), let address = wiring.address ?? chip.addresses.first
            else { return nil }
            let made = InterruptTrial(
                chip, on: I2CBus(path: wiring.bus, address: address), wakingBy: line, of: lines,
                threshold: wiring.wakeThreshold)
            trial = made
            input = made
        case .ignition:
            guard let line = board.supply.ignition else { return nil }
            input = LevelInput.ignition(line, on: lines)
        case .privateSwitch:
            guard let line = board.privateSwitch else { return nil }
            input = LevelInput.privateSwitch(line, on: lines)
        case .powerFail:
            guard let line = board.supply.powerFail else { return nil }
            input = LevelInput.powerFail(line, on: lines)
        case .supply:
            guard let monitor = board.supply.monitor else { return nil }
            let bus = I2CBus(path: monitor.bus, address: monitor.address)
            input = BatteryMonitor(on: bus, divider: monitor.divider)
        }
        interrupt = trial
    }
}
