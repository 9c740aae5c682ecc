package import Tracking

package struct StatusRequest: KeylessRequest {
    package static let isReading = true
    package static let permission: RemotePermission? = .status
    package static let manual = ControlManual(
        "status", "Shows the state and its reason, the last fix, the trip, the regions and the queue.",
        command: "`trackerd status`",
        response:
            "the state of the vehicle and its reason, the last fix, the trip, the regions and the queue; see below")

    package func run(in session: any Session) throws(ControlError) -> Status? {
        // The status shows whether the vehicle moves, so a server receives none in a private period.
        if session.server != nil { try session.checkPrivacy("sends no status to a server") }
        return session.status()
    }
}

package struct DoctorRequest: KeylessRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "doctor", "Checks each part of the tracker, and reports each fault with its remedy.", command: "",
        response: """
            `findings`; `can_track`: false if a fault prevents tracking; `verdict`: the last line of `trackerd doctor`; `time`: \
            when the checks began
            """)

    package func run(in session: any Session) throws(ControlError) -> ControlExamination? {
        try session.examine()
    }
}

package struct ReloadRequest: KeylessRequest {
    package static let manual = ControlManual(
        "config reload",
        "Loads the changed configuration file while tracking continues; rejects the whole file if it contains an error.",
        command: "`trackerd config reload`, `systemctl reload trackerd`, SIGHUP")

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        try session.reload()
    }
}

/// The program replaces itself in the same process, so it needs no service manager, and a service manager counts
/// neither a failure nor a restart.
package struct RestartRequest: KeylessRequest {
    package static let permission: RemotePermission? = .restart
    package static let manual = ControlManual(
        "restart", "Restarts the daemon as soon as all records are on disk.", command: "`trackerd restart`")

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        try session.restart()
        return session.handle().outcome("trackerd restarts as soon as all records are on disk.")
    }
}

package struct WatchRequest: KeylessRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "watch", "Shows the status and the events as they happen, until you interrupt the command.",
        command: "`trackerd watch`",
        response: "the version of the stream; every further line is an event, until the client closes the connection")

    package func run(in session: any Session) throws(ControlError) -> WatchHeader? {
        try session.answerLater(with: .events)
        return nil
    }
}

package struct RecordRequest: KeylessRequest {
    package static let manual = ControlManual(
        "record", "Writes the sensors' reports to a file for `trackerd replay`, until you interrupt the command.",
        command: "`trackerd record today.drive`",
        response:
            "the first line of a recording; every further line is a report, until the client closes the connection")

    package func run(in session: any Session) throws(ControlError) -> RecordingHeader? {
        try session.checkPrivacy("begins no recording")
        try session.answerLater(with: .reports(RecordingHeader(session.engine, at: session.now)))
        return nil
    }
}
