import ArgumentParser
import CLinux
import Devices
import FoundationEssentials
import Glibc
import Hardware
import Motion
import Quantities
import TrackerDaemon
import Upload

/// `trackerd setup`: asks the owner for all values, tests the server, writes the configuration, and starts the service.
struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Asks for the board and the server, tests both, writes the configuration, and starts trackerd.",
        discussion: """
            With --yes, the command asks no questions and uses the given values. If the server then does not answer as \
            expected, the command writes no file. Without --yes, the command proposes the values of an existing \
            configuration. The command renames an existing configuration to config.yaml.1, or to the next free number.
            """)

    @Option(help: "The configuration file to write.")
    var config = Configuration.defaultPath

    @Option(
        help:
            "The board; `auto` chooses the board file at each start. By default the board file of this computer, or else bare."
    )
    var board: String?

    @Option(
        help: "The name of the tracker; trackerd replaces {hostname} and {serial} at each start. By default {hostname}."
    )
    var name: String?

    @Option(help: "The address of the server.")
    var url: String?

    @Option(help: "The format of the records, such as owntracks or traccar.")
    var format: String?

    @Option(help: "The user name for the server.")
    var username: String?

    @Option(help: "A file with the password for the server.")
    var passwordFile: String?

    @Flag(help: "Allow an `http://` or `mqtt://` address, which sends positions and passwords unencrypted.")
    var allowInsecure = false

    @Option(help: "A part of the board that is not wired: accelerometer, ignition, powerFail, …; may be repeated.")
    var without: [String] = []

    @Option(help: "Ask no questions, check this configuration file, and move it to the path of --config.")
    var adopt: String?

    @Flag(help: "Ask no questions.")
    var yes = false

    @Flag(help: "Only write the configuration, and do not start the service.")
    var noStart = false

    func run() throws {
        let folder = ConfigurationFolder(file: config)
        if let fault = folder.fault { throw ValidationError(fault) }
        if let adopt {
            for sentence in try folder.adopt(adopt) { print(sentence) }
            return
        }
        var dialogue = SetupDialogue(OwnerTerminal(), try proposal(), examine: examine, tryServer: tryServer)
        var isWritten = false
        do {
            guard let answers = try yes ? checked() : asked(&dialogue, folder) else { return }
            // Block signals. If Ctrl-C ended the program after it has written the password, the former configuration
            // would use the new password.
            clinux_signals_hold()
            let written = Result { try folder.write(answers) }
            clinux_signals_release()
            let former = try written.get()
            if let former { dialogue.write("The former configuration is now \(former).") }
            isWritten = true
            dialogue.write("Written: \(config)")
            try start(&dialogue, answers)
        } catch is SetupCancelled {
            print(isWritten ? "Ended. The service was not started." : "Ended. Nothing was written.")
            throw ExitCode.failure
        }
    }

    // MARK: - Answers

    private var folders: [String] { BoardFile.folders(executable: Executable.path) }

    private func proposal() throws -> SetupDialogue<OwnerTerminal>.Proposal {
        let recognised = ComputerModel.this.flatMap { BoardFile.name(of: $0, in: folders) }
        return SetupDialogue<OwnerTerminal>.Proposal(
            answers: try given(board: recognised ?? "bare"),
            boards: BoardFile.names(in: folders) + (recognised == nil ? [] : [ComputerModel.automatic]),
            recognised: recognised, model: ComputerModel.this?.name)
    }

    /// Returns the answers that the arguments contain.
    private func given(board: String) throws -> SetupAnswers {
        var answers = SetupAnswers(board: board, device: DeviceName.hostname)
        // A former file with errors provides no answers, and the new file replaces it.
        if !yes, let former = try? Configuration.read(config) { answers = SetupAnswers(of: former) }
        answers.board = self.board ?? answers.board
        answers.device = name ?? answers.device
        if !without.isEmpty {
            let board = try BoardFile.read(named: answers.board, in: folders, models: Accelerometers.names)
            answers.changes = without.flatMap { SetupSurvey.removal(of: $0, from: board) }
        }
        guard let url else { return answers }
        var server = SetupAnswers.Server(url: url, format: format ?? SetupAnswers.Server.usualFormat(for: url))
        server.username = username
        server.allowInsecure = allowInsecure
        if let passwordFile {
            guard let data = FileManager.default.contents(atPath: passwordFile) else {
                throw ValidationError("trackerd cannot read `\(passwordFile)`. Check the path and the permissions.")
            }
            server.password = String(decoding: data, as: UTF8.self).trimmingLineEnd
        }
        answers.server = server
        return answers
    }

    /// Returns the answers in the arguments if the server accepts them.
    private func checked() throws -> SetupAnswers {
        let answers = try proposal().answers
        for finding in try tryServer(answers) {
            print(finding.sentences)
            guard finding.grade == .ok else {
                print("Nothing was written.")
                throw ExitCode.failure
            }
        }
        return answers
    }

    /// Returns the owner's answers in the dialogue; nil if the owner keeps the former configuration.
    private func asked(
        _ dialogue: inout SetupDialogue<OwnerTerminal>, _ folder: ConfigurationFolder
    ) throws -> SetupAnswers? {
        if folder.isThere {
            let question = "\(config) exists. Replace it, and keep the former file beside the new one?"
            guard try dialogue.confirm(question, false) else { return nil }
        }
        let answers = try dialogue.run()
        guard try dialogue.confirm("Write \(config)?", true) else {
            throw SetupCancelled()
        }
        return answers
    }

    // MARK: - Checks

    private func examine(_ board: String) throws -> SetupSurvey {
        let probes = DeviceProbes(
            bus: I2CProbe(), line: GPIOProbe(), receiver: GpsdProbe(), adapter: HCIProbe(), monitor: INA219Probe(),
            system: SystemFileProbe())
        let doctor = Doctor(
            probes: probes, models: Accelerometers.names, targets: TargetProbe(now: BootClock().now),
            isClockSynchronised: true)
        return SetupSurvey(
            doctor.examine(try BoardFile.read(named: board, in: folders, models: Accelerometers.names)))
    }

    private func tryServer(_ answers: SetupAnswers) throws -> [Finding] {
        let configuration = try Configuration.parse(answers.text(passwordFile: nil), file: config)
        _ = try BoardFile.read(named: nil, in: folders, entry: configuration.board, models: Accelerometers.names)
        return Doctor.tryTargets(of: configuration, TargetProbe(now: BootClock().now))
    }

    // MARK: - The service

    /// The longest wait for the first position; a receiver without an almanac needs up to 12.5 minutes (IS-GPS-200, section
    /// 20.3.2).
    private static let patience = Duration.seconds(900)

    private func start(_ dialogue: inout SetupDialogue<OwnerTerminal>, _ answers: SetupAnswers) throws {
        let command = "trackerd run --config \(config)"
        guard !noStart else { return }
        guard config == Configuration.defaultPath, SystemService.isThere else {
            return dialogue.write("Start the tracker with `\(command)`.")
        }
        guard try yes || dialogue.confirm("Start trackerd now, and whenever the computer starts?", true) else {
            return
        }
        guard SystemService.start() else {
            dialogue.write("The service does not start. `systemctl status trackerd` shows the reason.")
            throw ExitCode.failure
        }
        guard !yes else { return }
        dialogue.write(
            "Waiting until trackerd has recorded a position and all servers have received it. "
                + "Press Ctrl-C to stop waiting; trackerd continues.")
        let first = FirstPosition(socket: ControlSection.socket(in: config), patience: Self.patience)
        guard first.wait(clock: BootClock().now, report: { print($0) }) else { throw ExitCode.failure }
    }
}

extension String {
    /// The text without line breaks at its end.
    fileprivate var trimmingLineEnd: String {
        var text = self[...]
        while let last = text.last, last.isNewline { text = text.dropLast() }
        return String(text)
    }
}
