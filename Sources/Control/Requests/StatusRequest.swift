package import Tracking

package struct StatusRequest: ControlRequest {
    package static let isReading = true
    package static let permission: RemotePermission? = .status
    package static let manual = ControlManual(
        "status", "Shows the state and its reason, the last fix, the trip, the regions and the queue.",
        command: "`trackerd status`",
        response:
            "the state of the vehicle and its reason, the last fix, the trip, the regions and the queue; see below")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: any Session) throws(ControlError) -> Status? {
        // The status shows whether the vehicle moves, so a server receives none in a private period.
        if session.server != nil { try session.checkPrivacy("sends no status to a server") }
        return session.status()
    }
}
