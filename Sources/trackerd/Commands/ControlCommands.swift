import Control
import ArgumentParser
import Quantities
import TrackingOptions

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(for: StatusRequest.self)

    @OptionGroup var control: ControlOptions

    func run() throws {
        try control.report(StatusRequest.self) { StatusText(status: $0, clock: control.clock()).lines }
    }
}

struct LocateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        for: LocateRequest.self,
        discussion: """
            The command fails if the receiver has no fix within `fixTimeout`. The record of the fix contains the values of \
            --action-type, --action-log, --action-id, --action-duration and --additional-log.
            """)

    @Option(help: .key(LocateRequest.actionType))
    var actionType: String?

    @Option(help: .key(LocateRequest.actionLog))
    var actionLog: String?

    @Option(help: .key(LocateRequest.actionID))
    var actionId: String?

    @Option(help: .key(LocateRequest.actionDuration))
    var actionDuration: String?

    @Option(help: .key(LocateRequest.additionalLog))
    var additionalLog: String?

    @OptionGroup var control: ControlOptions

    func run() throws {
        let values: KeyValuePairs<ControlKey, (any CustomStringConvertible)?> = [
            LocateRequest.actionType: actionType, LocateRequest.actionLog: actionLog, LocateRequest.actionID: actionId,
            LocateRequest.actionDuration: actionDuration, LocateRequest.additionalLog: additionalLog,
        ]
        try control.report(LocateRequest.self, .given(values), waits: true) { found in
            guard let place = found.record.location else { return ["The location is unknown."] }
            let error = place.accuracy_m.map { " ±\($0) m" } ?? ""
            return ["\(place.lat), \(place.lon)\(error) at \(found.record.time) (record \(found.record.sequence))"]
        }
    }
}

struct ModeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mode", abstract: "Switches the monitoring mode, or shows the mode in force.",
        usage: "trackerd mode [<mode>] [--config <config>] [--socket <socket>] [--json]",
        discussion: """
            The mode replaces the configured profile, even after a restart. To return to that profile, run \
            `trackerd mode default`, or choose the mode that the configuration sets. Options that the configuration sets in \
            addition to the profile remain in force.
            """)

    // The mode -1 begins like an option.
    @Argument(parsing: .allUnrecognized, help: .key(ModeRequest.modeKey))
    var mode: [String] = []

    @OptionGroup var control: ControlOptions

    func validate() throws {
        guard mode.count <= 1 else {
            throw ValidationError("Write one mode, such as `trackerd mode quiet`.")
        }
        guard let mode = mode.first, mode.hasPrefix("-"), Int(mode) == nil else { return }
        throw ValidationError("`\(mode.printable())` is not an option. `trackerd mode --help` lists the options.")
    }

    func run() throws {
        if let mode = mode.first {
            try control.order(ModeRequest.self, .given([ModeRequest.modeKey: mode]))
        } else {
            try control.report(StatusRequest.self) { [$0.mode] }
        }
    }
}

/// A request without keys; its `manual` has the name and the help of the command.
struct OrderCommand<Request: ControlRequest>: ParsableCommand where Request.Response == ControlOutcome {
    static var configuration: CommandConfiguration { CommandConfiguration(for: Request.self) }

    @OptionGroup var control: ControlOptions

    func run() throws { try control.order(Request.self) }
}
