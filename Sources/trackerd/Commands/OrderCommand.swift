import ArgumentParser
import Control

/// A command that sends a request without keys and prints the outcome; its name and its help come from the table of requests.
struct OrderCommand<Request: ControlRequest>: ParsableCommand where Request.Response == ControlOutcome {
    static var configuration: CommandConfiguration { CommandConfiguration(for: Request.self) }

    @OptionGroup var control: ControlOptions

    func run() throws { try control.order(Request.self) }
}
