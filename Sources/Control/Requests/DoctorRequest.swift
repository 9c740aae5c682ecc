package struct DoctorRequest: ControlRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "doctor", "Checks each part of the tracker, and reports each fault with its remedy.", command: "",
        response: """
            `findings`: the lines of `trackerd doctor`, each with `check`, `grade` (`ok`, `warning` or `fault`), `text` and \
            `remedy`; `can_track`: whether no fault prevents tracking; `verdict`: the last line; `time`: when the checks began
            """)

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: any Session) throws(ControlError) -> ControlExamination? {
        try session.examine()
    }
}
