package import Tracking

package struct RecordRequest: ControlRequest {
    package static let manual = ControlManual(
        "record", "Writes the sensors' reports to a file for `trackerd replay`, until you interrupt the command.",
        command: "`trackerd record today.drive`",
        response:
            "the first line of a recording; every further line is a report, until the client closes the connection")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: any Session) throws(ControlError) -> RecordingHeader? {
        try session.checkPrivacy("begins no recording")
        try session.answerLater(with: .reports(RecordingHeader(session.engine, at: session.now)))
        return nil
    }
}
