import ArgumentParser
import TrackerDaemon

/// `trackerd status`: how it is with the tracker.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells the state and why, the last fix, the trip, the regions and what is still to be sent.")

    @OptionGroup var control: ControlOptions

    func run() throws {
        try control.report("status") { StatusText(status: $0).lines }
    }
}
