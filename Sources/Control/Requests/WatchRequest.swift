package struct WatchRequest: ControlRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "watch", "Shows the status and the events as they happen, until you interrupt the command.",
        command: "`trackerd watch`",
        response: "the version of the stream; every further line is an event, until the client closes the connection")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: any Session) throws(ControlError) -> WatchHeader? {
        try session.answerLater(with: .events)
        return nil
    }
}
