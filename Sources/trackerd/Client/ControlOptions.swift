import ArgumentParser
import Compatibility
import TrackerDaemon
import Tracking

/// How a command reaches the daemon, and how it tells what came of it.
struct ControlOptions: ParsableArguments {
    @Option(help: "The configuration file of the daemon; it names the socket.")
    var config = Configuration.defaultPath

    @Option(help: "The socket of the daemon, instead of that of the configuration.")
    var socket: String?

    @Flag(help: "Write one JSON object.")
    var json = false

    /// Gives an order, and tells what came of it.
    func order(_ request: String, _ values: [OptionTree.Entry] = []) throws {
        try report(request, values) { (outcome: ControlOutcome) in
            outcome.on_disk ? [outcome.text] : [outcome.text, "It is not on disk yet: see the log of the daemon."]
        }
    }

    /// Asks, and tells the answer in these lines, or as JSON.
    func report<Result: Codable>(
        _ request: String, _ values: [OptionTree.Entry] = [], waits: Bool = false, lines: (Result) -> [String]
    ) throws {
        try report(try ask(request, values, waits: waits), lines: lines)
    }

    /// Asks the daemon; its answer.
    func ask<Result: Codable>(
        _ request: String, _ values: [OptionTree.Entry] = [], waits: Bool = false
    ) throws(ControlClientError) -> Result {
        let client = try ControlClient(path: socket ?? ControlSection.socket(in: config))
        return try client.ask(request, values, waits: waits, as: Result.self)
    }

    /// Tells a result in these lines, or as JSON.
    func report<Result: Codable>(_ result: Result, lines: (Result) -> [String]) throws {
        let writer = try LineWriter(nil)
        if json {
            writer.write(result)
        } else {
            writer.write(foreign: lines(result))
        }
        try writer.finish()
    }
}

extension [OptionTree.Entry] {
    /// The values that are given, each under its key.
    static func given(_ values: KeyValuePairs<String, (any CustomStringConvertible)?>) -> Self {
        values.compactMap { key, value in
            value.map { OptionTree.Entry(key, line: nil, .text($0.description)) }
        }
    }
}
