package import Tracking

/// `record`: send what the sensors report, line by line, until the client closes the connection.
package struct RecordRequest: ControlRequest {
    package static let manual = ControlManual(
        "record", "Writes what the sensors report to a file that `trackerd replay` reads, until it is interrupted.",
        command: "`trackerd record today.drive`",
        response: "the first line of a recording; every further line is a report, until the client hangs up")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: ControlSession) -> RecordingHeader? {
        session.streamEvents(after: RecordingHeader(session.engine, at: session.now))
        return nil
    }
}
