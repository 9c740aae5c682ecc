import ArgumentParser
import CLinux
import Configuration
import Devices
import Doctor
import FoundationEssentials
import Glibc
import Motion
import Quantities
import Upload

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Asks for the board and the server, tests both, writes the configuration, and starts trackerd.",
        discussion: """
            With --yes, the command asks no questions and uses the given values, but writes no file if the server does not \
            answer as expected. An existing configuration keeps all values that you do not change, except those that the \
            command lists because it must drop them. The command renames the former file to config.yaml.1, or to the next \
            free number.
            """)

    @Option(help: "The configuration file to write.")
    var config = Configuration.defaultPath

    @Option(
        help:
            "The board; `auto` chooses the board file at each start. By default the board of an existing configuration, the board file of this computer, or else bare."
    )
    var board: String?

    @Option(
        help:
            "The name of the tracker; trackerd replaces {hostname} and {serial} at each start. By default the name in an existing configuration, or else {hostname}."
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

    @Option(help: "A file with a bearer token for the server; the configuration refers to this file.")
    var tokenFile: String?

    @Option(help: "A file with the server's own certificate authority, in PEM; the configuration refers to this file.")
    var caFile: String?

    @Option(help: "The user to whom the records belong, for servers with several users.")
    var user: String?

    @Option(help: "The proxy, such as http://proxy.example.net:3128.")
    var proxy: String?

    @Flag(help: "Allow an `http://` or `mqtt://` address, which sends positions and passwords unencrypted.")
    var allowInsecure = false

    @Option(help: "A part of the board that is not wired: accelerometer, ignition, powerFail, …; may be repeated.")
    var without: [String] = []

    @Option(
        help:
            "With --yes: a wired part that an output of the board switches, receiverPower or indicator; may be repeated. All other outputs of a new board remain off."
    )
    var with: [String] = []

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
            let environment = ProcessInfo.processInfo.environment
            let sentences = try folder.adopt(adopt, environment: environment) { configuration in
                try checkBoard(configuration, named: board ?? Self.board(in: environment["OPTIONS"]))
            }
            for sentence in sentences { print(sentence) }
            return
        }
        var file = SetupFile(config)
        if let url { file.select(url: url) }
        var dialogue = SetupDialogue(
            OwnerTerminal(), try proposal(file), examine: { try examine($0, file) },
            tryServer: { try tryServer($0, file) })
        var isWritten = false
        do {
            guard let answers = try yes ? checked(&dialogue, file) : asked(&dialogue, folder, file) else { return }
            try write(answers, folder, file, &dialogue)
            isWritten = true
            try start(&dialogue, answers)
        } catch is SetupCancelled {
            print(isWritten ? "Ended. The service was not started." : "Ended. Nothing was written.")
            throw ExitCode.failure
        }
    }

    private func write(
        _ answers: SetupAnswers, _ folder: ConfigurationFolder, _ file: SetupFile,
        _ dialogue: inout SetupDialogue<OwnerTerminal>
    ) throws {
        let passwordFile = file.passwordFile(in: folder)
        let change = file.change(to: answers, passwordFile: passwordFile)
        let password = answers.server?.password.map { (text: $0, file: passwordFile) }
        guard password != nil || !file.contains(change.text) else {
            return dialogue.write("\(config) already contains these values.")
        }
        // Block signals during the write: after the password is written, Ctrl-C would leave the former configuration
        // with the new password.
        clinux_signals_hold()
        let written = Result { try folder.write(change.text, password: password) }
        clinux_signals_release()
        let former = try written.get()
        if let former { dialogue.write("The former configuration is now \(former).") }
        dialogue.write("Written: \(config)")
    }

    // MARK: - Answers

    private var folders: [String] { BoardFile.folders(executable: Executable.path) }

    private func proposal(_ file: SetupFile) throws -> SetupDialogue<OwnerTerminal>.Proposal {
        let recognised = ComputerModel.this.flatMap { BoardFile.name(of: $0, in: folders) }
        var proposal = SetupDialogue<OwnerTerminal>.Proposal(
            answers: try given(board: recognised ?? "bare", file),
            boards: BoardFile.names(in: folders) + (recognised == nil ? [] : [ComputerModel.automatic]),
            recognised: recognised, model: ComputerModel.this?.name)
        proposal.former = file.answers.map { former in
            .init(
                board: former.board, target: former.server == nil ? nil : file.target, otherTargets: file.otherTargets)
        }
        return proposal
    }

    /// The answers of the existing configuration, changed by the arguments.
    private func given(board: String, _ file: SetupFile) throws -> SetupAnswers {
        var answers = file.answers ?? SetupAnswers(board: board, device: DeviceName.hostname)
        answers.board = self.board ?? answers.board
        answers.device = name ?? answers.device
        // The owner has already confirmed the outputs of the former board.
        let isConfirmed = !yes || answers.board == file.answers?.board
        if !without.isEmpty || !isConfirmed {
            let board = try BoardFile.read(named: answers.board, in: folders, models: Accelerometers.names)
            let unconfirmed = isConfirmed ? [] : board.outputs.filter { !with.contains($0) }
            for part in without + unconfirmed {
                answers.changes.merge(BoardChange.removal(of: part, from: board))
            }
        }
        guard var server = try server(of: answers) else { return answers }
        server.format = format ?? server.format
        server.username = username ?? server.username
        server.allowInsecure = allowInsecure || server.allowInsecure
        // The daemon has another working folder.
        server.tokenFile = tokenFile.map { URL(fileURLWithPath: $0).path }
        server.caFile = caFile.map { URL(fileURLWithPath: $0).path }
        (server.user, server.proxy) = (user, proxy)
        if tokenFile != nil, username == nil { (server.username, server.keepsPassword) = (nil, false) }
        if let passwordFile {
            guard let data = FileManager.default.contents(atPath: passwordFile) else {
                throw ValidationError("trackerd cannot read `\(passwordFile)`. Check the path and the permissions.")
            }
            server.password = String(decoding: data, as: UTF8.self).trimmingLineEnd
        }
        answers.server = server
        return answers
    }

    /// The server of the existing configuration, with the address in the arguments.
    private func server(of answers: SetupAnswers) throws -> SetupAnswers.Server? {
        guard var server = answers.server else {
            return url.map { .init(url: $0, format: SetupAnswers.Server.usualFormat(for: $0)) }
        }
        server.url = url ?? server.url
        return server
    }

    /// Throws unless the server accepts the answers.
    private func checked(
        _ dialogue: inout SetupDialogue<OwnerTerminal>, _ file: SetupFile
    ) throws -> SetupAnswers {
        let answers = try proposal(file).answers
        writeLosses(of: answers, file, &dialogue)
        for finding in try findings(on: answers, file) {
            print(finding.sentences)
            guard finding.grade == .ok else {
                print("Nothing was written.")
                throw ExitCode.failure
            }
        }
        return answers
    }

    /// An error about an unencrypted address names the argument that allows it.
    private func findings(on answers: SetupAnswers, _ file: SetupFile) throws -> [Finding] {
        do {
            return try tryServer(answers, file)
        } catch let error as ConfigurationError
            where answers.server?.allowInsecure == false
            && error.problems.contains(where: { $0.text.contains("unencrypted") })
        {
            throw ValidationError(
                "\(answers.server?.url ?? "") sends positions and passwords unencrypted over the network. Use an encrypted "
                    + "address, or add --allow-insecure if you accept that. Nothing was written.")
        }
    }

    /// Nil if the owner keeps the former configuration.
    private func asked(
        _ dialogue: inout SetupDialogue<OwnerTerminal>, _ folder: ConfigurationFolder, _ file: SetupFile
    ) throws -> SetupAnswers? {
        if folder.isThere {
            for error in file.errors { dialogue.write("\(error)") }
            let question =
                file.errors.isEmpty
                ? "\(config) exists. Change it? Setup keeps all values that you do not change, and the former file beside it."
                : "\(config) has errors. Replace it by a new file without its values, and keep the former file beside it?"
            guard try dialogue.confirm(question, false) else { return nil }
        }
        let answers = try dialogue.run()
        writeLosses(of: answers, file, &dialogue)
        guard try dialogue.confirm("Write \(config)?", true) else {
            throw SetupCancelled()
        }
        return answers
    }

    private func writeLosses(
        of answers: SetupAnswers, _ file: SetupFile, _ dialogue: inout SetupDialogue<OwnerTerminal>
    ) {
        if yes, !file.errors.isEmpty {
            for error in file.errors { dialogue.write("\(error)") }
            dialogue.write("\(config) has errors, so the new file contains none of its values.")
        }
        for sentence in file.change(to: answers, passwordFile: nil).dropped { dialogue.write(sentence) }
    }

    // MARK: - Checks

    private func examine(_ board: String, _ file: SetupFile) throws -> SetupSurvey {
        let doctor = Doctor.ofThisComputer(BootClock(), isClockSynchronised: true)
        // The existing configuration may change values of its own board.
        let isFormer = board == file.answers?.board
        return SetupSurvey(
            doctor.examine(
                try BoardFile.read(
                    named: isFormer ? nil : board, in: folders, entry: isFormer ? file.board : nil,
                    models: Accelerometers.names)))
    }

    private func checkBoard(_ configuration: Configuration, named name: String? = nil) throws {
        _ = try BoardFile.read(named: name, in: folders, entry: configuration.board, models: Accelerometers.names)
    }

    /// The board in the service's options, which systemd also passes to `setup --adopt`.
    private static func board(in options: String?) -> String? {
        let words = options?.split(separator: " ").map(String.init) ?? []
        let joined = words.last { $0.hasPrefix("--board=") }.map { String($0.dropFirst("--board=".count)) }
        guard let index = words.lastIndex(of: "--board"), index + 1 < words.count else { return joined }
        return words[index + 1]
    }

    private func tryServer(_ answers: SetupAnswers, _ file: SetupFile) throws -> [Finding] {
        let change = file.change(to: answers, passwordFile: nil)
        // The daemon reads the files as the owner of the folder. Only the server of the answers needs its secrets now.
        var configuration = try CheckingUser.act(as: CheckingUser(ownerOfFolderOf: config)) {
            try Configuration.parse(
                change.text, file: config, environment: ProcessInfo.processInfo.environment, needsSecrets: false)
        }
        try checkBoard(configuration)
        configuration.targets.removeAll { answers.server == nil || $0.name != file.target }
        try configuration.checkSecrets(in: config)
        return Doctor.tryTargets(of: configuration, TargetProbe(now: BootClock().now))
    }

    // MARK: - The service

    /// The longest wait for the first position; a receiver without an almanac may need 12.5 minutes to receive one (IS-GPS-200,
    /// section 20.3.2).
    private static let patience = Duration.seconds(900)

    private func start(_ dialogue: inout SetupDialogue<OwnerTerminal>, _ answers: SetupAnswers) throws {
        let command = "trackerd run --config \(config)"
        guard !noStart else { return }
        guard config == Configuration.defaultPath, SystemService.isThere else {
            return dialogue.write("Start the tracker with `\(command)`.")
        }
        guard try yes || dialogue.confirm("Start trackerd now, and whenever the computer starts?", true) else { return }
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
    fileprivate var trimmingLineEnd: String {
        var text = self[...]
        while let last = text.last, last.isNewline { text = text.dropLast() }
        return String(text)
    }
}
