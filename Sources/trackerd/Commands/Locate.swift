import ArgumentParser
import Compatibility
import TrackerDaemon
import Tracking

/// `trackerd locate`: where the vehicle is now.
struct Locate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Powers the receiver, waits for a fix, records and prints it.",
        discussion:
            "Fails when there is no fix within `fixTimeout`. What is given about the action is kept with the record.")

    @Option(help: "What kind of action asks.")
    var actionType: String?

    @Option(help: "What happened.")
    var actionLog: String?

    @Option(help: "Which action it is.")
    var actionId: String?

    @Option(help: "How long the action took.")
    var actionDuration: String?

    @Option(help: "Anything else.")
    var additionalLog: String?

    @OptionGroup var control: ControlOptions

    func run() throws {
        let values = [OptionTree.Entry].given([
            "actionType": actionType, "actionLog": actionLog, "actionId": actionId, "actionDuration": actionDuration,
            "additionalLog": additionalLog,
        ])
        try control.report("locate", values, waits: true) { (found: ControlLocation) in
            guard let place = found.record.location else { return ["The place is not known."] }
            let error = place.accuracy_m.map { " to \($0) m" } ?? ""
            return ["\(place.lat), \(place.lon)\(error) at \(found.record.time) (record \(found.record.sequence))"]
        }
    }
}
