import ArgumentParser
import Control
import Glibc
import Tracking

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        for: WatchRequest.self,
        discussion: """
            In a terminal, the command shows the status and the latest events, and redraws them in place until you press q or \
            Ctrl-C. Into a pipe or a file, it writes a line for each event, and one whenever the status changes. With --json, it \
            writes the daemon's stream of events for other programs, one JSON object per line. If the daemon restarts, the command \
            connects again. docs/watch.md describes the events.
            """)

    @Flag(help: "Show times in UTC; --json always uses UTC.")
    var utc = false

    @OptionGroup var control: ControlOptions

    func run() throws {
        let isScreen = !control.json && WatchScreen.isPossible
        let output: any WatchOutput =
            if control.json {
                try WatchStream()
            } else if isScreen {
                try WatchScreen(socket: control.path, clock: control.clock(inUTC: utc))
            } else {
                try WatchLines(clock: control.clock(inUTC: utc))
            }
        var loop = WatchLoop(control, to: output, readsKeys: isScreen)
        try loop.run()
    }
}

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        for: RecordRequest.self,
        discussion: """
            The recording ends when you press Ctrl-C or the daemon ends. If the recording begins while the vehicle is parked, \
            a replay with the daemon's configuration makes the same decisions as the daemon, except decisions about commands. \
            The recording contains reports of the receiver only from periods in which it was on.
            """)

    @Argument(help: "The file to write, which replaces an existing file; the name ends in .drive.")
    var file: String

    @OptionGroup var control: ControlOptions

    func validate() throws {
        guard file.hasSuffix(".drive") else {
            throw ValidationError("`\(file)` does not end in .drive. Add this ending, which `trackerd replay` needs.")
        }
    }

    func run() throws {
        let client = try control.connect(for: RecordRequest.self)
        let header = try client.ask(RecordRequest.self)
        let writer = try LineWriter(file)
        writer.write(header)
        writer.flush()
        var (count, gaps) = (0, 0)
        client.forEachLine { line in
            // Write each line at once, so that no line is lost when this program ends.
            writer.write(text: line)
            writer.flush()
            if line.contains(#""lost":"#) { gaps += 1 } else { count += 1 }
            return writer.failure == nil
        }
        try writer.finish()
        let rest =
            gaps == 0
            ? ""
            : " The recording has \(gaps) \(gaps == 1 ? "gap" : "gaps"), because the command wrote the reports too slowly."
        print("\(file): trackerd recorded \(count) \(count == 1 ? "report" : "reports").\(rest)")
    }
}
