import Control
import ArgumentParser

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        for: WatchRequest.self,
        discussion: """
            In a terminal, the command shows the status and the latest events, and redraws them in place; q or Ctrl-C ends the \
            command. Otherwise, the command writes one line for each event. With --json, it writes the daemon's stream of events \
            for other programs, one JSON object per line. If the daemon restarts, the command connects again. \
            docs/watch.md describes the events.
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
