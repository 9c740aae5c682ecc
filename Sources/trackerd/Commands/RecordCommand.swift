import Control
import ArgumentParser
import Glibc
import Tracking

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        for: RecordRequest.self,
        discussion: """
            The recording ends when you press Ctrl-C or the daemon ends. If the recording begins while the vehicle is parked, \
            a replay with the daemon's configuration makes the same decisions as the daemon, except decisions about commands. \
            The recording contains reports of the receiver only from periods in which the receiver was on.
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
        let header = try client.ask(RecordRequest.manual.name, [], waits: false, as: RecordingHeader.self)
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
