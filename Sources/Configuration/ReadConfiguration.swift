import FoundationEssentials
import TrackingOptions
import Upload

extension Configuration {
    /// Environment variables and arguments `KEY=VALUE` override the file's options; an error in them is thrown before the file
    /// is read. Without `needsSecrets`, a target with an unreadable secret waits.
    package static func read(
        _ path: String = defaultPath, environment: [String: String] = ProcessInfo.processInfo.environment,
        arguments: [String] = [], needsSecrets: Bool = true
    ) throws(ConfigurationError) -> Configuration {
        _ = try layers(environment, arguments)
        return try parse(
            text(of: path), file: path, environment: environment, arguments: arguments, needsSecrets: needsSecrets)
    }

    package static func parse(
        _ text: String, file: String, environment: [String: String] = [:], arguments: [String] = [],
        needsSecrets: Bool = true
    ) throws(ConfigurationError) -> Configuration {
        let layers = try layers(environment, arguments)
        var configuration = try YAMLFile.parse(text, file: file) {
            ConfigurationFile.read(&$0, below: layers, variables: environment, needsSecrets: needsSecrets)
        }
        for index in configuration.targets.indices where configuration.targets[index].missing != nil {
            let name = configuration.targets[index].name
            // Use the text in force, because the owner may not have finished a change of the file.
            configuration.targets[index].missing?.retry = {
                let again = try? parse(
                    text, file: file, environment: environment, arguments: arguments, needsSecrets: false)
                return again?.targets.first { $0.name == name && $0.missing == nil }
            }
        }
        return configuration
    }

    private static func layers(
        _ environment: [String: String], _ arguments: [String]
    ) throws(ConfigurationError) -> [OptionLayer] {
        [try OptionVariables.read(environment), try CommandLineOptions.read(arguments)].compactMap { $0 }
    }

    package static let remedy = """
        Run `sudo trackerd setup`, create the file, or set another one with --config. Three lines are enough:
        device: van1
        targets:
          - url: https://track.example.net/pub
        """

    /// Returns the faults of the folders in which trackerd writes, as the present user sees them.
    package func folderProblems(inSandbox: Bool = false) -> [ConfigurationError.Problem] {
        writtenPaths.compactMap { $0.problem(inSandbox: inSandbox) }
    }

    /// Makes all checks that need no daemon; `checkBoard` reads the board's file.
    package static func check(
        _ text: String, file: String, environment: [String: String], as user: CheckingUser?, inSandbox: Bool = false,
        checkBoard: (Configuration) throws -> Void
    ) throws -> Configuration {
        try CheckingUser.act(as: user) {
            let configuration = try parse(text, file: file, environment: environment)
            try checkBoard(configuration)
            let problems = configuration.folderProblems(inSandbox: inSandbox)
            guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
            return configuration
        }
    }

    package static func text(of path: String) throws(ConfigurationError) -> String {
        try TextFile.read(path, missing: remedy)
    }
}
