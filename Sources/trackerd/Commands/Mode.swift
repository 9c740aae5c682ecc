import ArgumentParser
import Tracking
import TrackerDaemon

/// `trackerd mode`: one of OwnTracks' monitoring modes.
struct Mode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switches the monitoring mode, or tells which one holds.",
        discussion: "The mode goes over the configuration file, and survives a restart.")

    @Argument(help: "quiet, manual, significant or move.")
    var mode: String?

    @OptionGroup var control: ControlOptions

    func run() throws {
        if let mode {
            try control.order("mode", .given(["mode": mode]))
        } else {
            try control.report("status") { (status: TrackerDaemon.Status) in [status.mode] }
        }
    }
}
