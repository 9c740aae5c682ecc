import ArgumentParser
import Glibc
import TrackerDaemon
import Tracking

/// `trackerd record`: writes the reports of the daemon's sensors, for `trackerd replay`.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        for: RecordRequest.self,
        discussion: """
            The recording ends with Ctrl-C, or when the daemon ends. If it begins while the vehicle is parked, its replay makes \
            the same decisions. It contains the receiver's reports only from times at which the receiver was on.
            """)

    @Argument(help: "The file to write, which replaces an existing one; its name ends in .drive.")
    var file: String

    @OptionGroup var control: ControlOptions

    func validate() throws {
        guard file.hasSuffix(".drive") else {
            throw ValidationError("`\(file)` does not end in .drive. `trackerd replay` needs this ending.")
        }
    }

    func run() throws {
        let client = try control.connect()
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
        let rest = gaps == 0 ? "" : " Reports are missing in \(gaps) places, because trackerd wrote them too slowly."
        print("\(file): trackerd recorded \(count) reports.\(rest)")
    }
}
