import Control
import Configuration
import ArgumentParser
import Calendar
import Compatibility
import FoundationEssentials
import Tracking

/// The options with which a command finds the daemon, and the form in which it prints the response.
struct ControlOptions: ParsableArguments {
    @Option(help: "The daemon's configuration file, which sets the socket.")
    var config = Configuration.defaultPath

    @Option(help: "The daemon's socket, instead of the one in the configuration.")
    var socket: String?

    @Flag(help: "Write JSON.")
    var json = false

    /// Sends a request that changes the tracker, and prints the outcome.
    func order<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry] = []
    ) throws where Request.Response == ControlOutcome {
        try report(request, values) { outcome in
            outcome.on_disk ? [outcome.text] : [outcome.text, "The change is not on disk yet. Check the daemon's log."]
        }
    }

    /// Sends a request, and prints the response as lines or as JSON.
    func report<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry] = [], waits: Bool = false,
        lines: (Request.Response) -> [String]
    ) throws {
        try report(try ask(request, values, waits: waits), lines: lines)
    }

    /// Sends a request, and returns the response.
    func ask<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry] = [], waits: Bool = false
    ) throws(ControlClientError) -> Request.Response {
        try connect(for: request).ask(request.manual.name, values, waits: waits, as: Request.Response.self)
    }

    /// Connects to the daemon.
    func connect(for request: any ControlRequest.Type) throws(ControlClientError) -> ControlClient {
        let reading = socket.map(ControlSection.sibling) ?? ControlSection.readSocket(in: config)
        return try .connected(to: path, orToRead: reading, for: request)
    }

    var path: String { socket ?? ControlSection.socket(in: config) }

    /// Returns the clock for times in the output.
    ///
    /// The clock uses UTC on request, and otherwise the zone in `TZ`, the configured zone, or the computer's zone.
    func clock(inUTC isUTC: Bool = false) -> ZoneClock {
        if isUTC { return ZoneClock(zone: .utc) }
        let variable = ProcessInfo.processInfo.environment["TZ"]
        let configured = variable == nil ? (try? Configuration.read(config))?.zone : nil
        return ZoneClock(zone: configured ?? ZoneFiles().current(variable))
    }

    /// Prints a response as these lines, with times in the reader's time zone, or as JSON.
    func report<Response: Codable>(_ response: Response, lines: (Response) -> [String]) throws {
        let writer = try LineWriter(nil)
        if json {
            writer.write(response)
        } else {
            let clock = clock()
            writer.write(foreign: lines(response).map(clock.localized))
        }
        try writer.finish()
    }
}

extension ControlClient {
    /// Connects to the control socket, or to the read socket if the request only reads and this user may not use the control
    /// socket.
    static func connected(
        to path: String, orToRead reading: String, for request: any ControlRequest.Type
    ) throws(ControlClientError) -> ControlClient {
        do throws(ControlClientError) {
            return try ControlClient(path: path)
        } catch {
            guard case .forbidden = error, request.isReading,
                let client = try? ControlClient(path: reading)
            else { throw error }
            return client
        }
    }
}

extension [OptionTree.Entry] {
    /// Returns the values that are not nil, each under its key.
    static func given(_ values: KeyValuePairs<ControlKey, (any CustomStringConvertible)?>) -> Self {
        values.compactMap { key, value in
            value.map { OptionTree.Entry(key.name, line: nil, .text($0.description)) }
        }
    }
}

extension ArgumentHelp {
    /// Returns the help text of a key in the table of requests, as a sentence.
    static func key(_ key: ControlKey) -> ArgumentHelp {
        ArgumentHelp("\(key.help.prefix(1).uppercased())\(key.help.dropFirst()).")
    }
}

extension CommandConfiguration {
    /// Configures a command that sends one request; the table of requests provides the summary.
    init(for request: any ControlRequest.Type, named name: String? = nil, discussion: String = "") {
        let manual = request.manual
        let words = manual.name.split(separator: " ")
        self.init(
            commandName: name ?? words.last.map(String.init), abstract: manual.summary, discussion: discussion)
    }
}
