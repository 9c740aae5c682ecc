import Control
import Configuration
import ArgumentParser
import Calendar
import Compatibility
import FoundationEssentials
import Tracking

struct ControlOptions: ParsableArguments {
    @Option(help: "The daemon's configuration file, which sets the socket.")
    var config = Configuration.defaultPath

    @Option(help: "The daemon's socket, instead of the one in the configuration.")
    var socket: String?

    @Flag(help: "Write JSON.")
    var json = false

    func order<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry] = []
    ) throws where Request.Response == ControlOutcome {
        try report(request, values) { outcome in
            outcome.on_disk ? [outcome.text] : [outcome.text, "The change is not on disk yet. Check the daemon's log."]
        }
    }

    func report<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry] = [], waits: Bool = false,
        lines: (Request.Response) -> [String]
    ) throws {
        try report(try ask(request, values, waits: waits), lines: lines)
    }

    func ask<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry] = [], waits: Bool = false
    ) throws(ControlClientError) -> Request.Response {
        try connect(for: request).ask(request, values, waits: waits)
    }

    func connect(for request: any ControlRequest.Type) throws(ControlClientError) -> ControlClient {
        let reading = socket.map(ControlSection.sibling) ?? ControlSection.readSocket(in: config)
        return try .connected(to: path, orToRead: reading, for: request)
    }

    var path: String { socket ?? ControlSection.socket(in: config) }

    /// The zone is `TZ`, or else the configured one, or else the computer's.
    func clock(inUTC isUTC: Bool = false) -> ZoneClock {
        if isUTC { return ZoneClock(zone: .utc) }
        let variable = ProcessInfo.processInfo.environment["TZ"]
        let configured = variable == nil ? (try? Configuration.read(config))?.zone : nil
        return ZoneClock(zone: configured ?? ZoneFiles().current(variable))
    }

    func report<Response: Codable>(_ response: Response, lines: (Response) -> [String]) throws {
        try LineWriter.write(response, asJSON: json, orLines: lines(response).map(clock().localized))
    }
}

extension ControlClient {
    /// Connects to the read socket if the request only reads and this user has no permission to use the control socket.
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
    static func given(_ values: KeyValuePairs<ControlKey, (any CustomStringConvertible)?>) -> Self {
        values.compactMap { key, value in
            value.map { OptionTree.Entry(key.name, line: nil, .text($0.description)) }
        }
    }
}

extension ArgumentHelp {
    static func key(_ key: ControlKey) -> ArgumentHelp {
        ArgumentHelp("\(key.help.prefix(1).uppercased())\(key.help.dropFirst()).")
    }
}

extension CommandConfiguration {
    /// The name and the summary come from the request's `manual`.
    init(for request: any ControlRequest.Type, named name: String? = nil, discussion: String = "") {
        let manual = request.manual
        let words = manual.name.split(separator: " ")
        self.init(
            commandName: name ?? words.last.map(String.init), abstract: manual.summary, discussion: discussion)
    }
}
