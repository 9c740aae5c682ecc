import Quantities
package import Tracking

/// `restart`: end the program in order, and start it again.
///
/// The program replaces itself in the same process. The restart therefore works with and without a service manager, and the
/// service manager counts neither a failure nor a restart.
package struct RestartRequest: ControlRequest {
    package static let permission: RemotePermission? = .restart
    package static let manual = ControlManual(
        "restart", "Ends the daemon in order, and starts it again at once.", command: "`trackerd restart`")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        try session.restart()
        return session.handle().outcome("trackerd starts again as soon as all records are on disk.")
    }
}
