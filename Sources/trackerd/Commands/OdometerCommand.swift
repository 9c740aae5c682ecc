import ArgumentParser
import Tracking
import TrackerDaemon

/// `trackerd odometer`: the metres driven.
struct OdometerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "odometer", abstract: "Tells or sets the metres driven.", subcommands: [Show.self, Set.self],
        defaultSubcommand: Show.self)

    /// `trackerd odometer show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Tells the metres driven (the default).")

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.report("odometer") { (odometer: ControlOdometer) in ["\(odometer.odometer_m) m"] }
        }
    }

    /// `trackerd odometer set`.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets the odometer, such as to what that of the vehicle shows; a trip stays as long as it is.")

        @Argument(help: "What it is to show, in metres.")
        var metres: Double

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order("odometer set", .given(["metres": metres])) }
    }
}
