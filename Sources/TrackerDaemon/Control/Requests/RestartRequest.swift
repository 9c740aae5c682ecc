import Configuration
import Quantities
import Tracking

/// `restart`: end the program in order, and start it again.
///
/// The program replaces itself in the same process. The restart therefore works with and without a service manager, and the
/// service manager counts neither a failure nor a restart.
package struct RestartRequest: ControlRequest {
    package static let manual = ControlManual(
        "restart", "Ends the daemon in order, and starts it again at once.", command: "`trackerd restart`")

    /// A server may restart the program only when it has run for this time, so that repeated orders cannot stop the tracking.
    static let shortestRun = Duration.seconds(3600)

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: ControlSession) throws(ControlError) -> ControlOutcome? {
        if session.order != nil { try Self.checkRun(session.now - session.tracker.began) }
        if let fault = session.tracker.performer.diskFault {
            throw ControlError("a restart would lose the records that are only in memory. \(fault)")
        }
        try checkStart(in: session)
        let outcome = session.handle().outcome("trackerd starts again as soon as all records are on disk.")
        session.tracker.mustRestart = true
        return outcome
    }

    private static func checkRun(_ run: Duration) throws(ControlError) {
        guard run < shortestRun else { return }
        let minutes = Int(run.inSeconds / 60)
        throw ControlError(
            "trackerd started \(minutes) min ago, and a server can restart it only an hour after its start. Send the order again later."
        )
    }

    /// Throws if the program could not start with the present configuration file.
    private func checkStart(in session: ControlSession) throws(ControlError) {
        guard let check = session.tracker.checkStart else {
            throw ControlError("this program cannot start itself again.")
        }
        do throws(ConfigurationError) {
            try check()
        } catch {
            // The errors contain paths and values of the file, which no server may read.
            let errors = session.order == nil ? "\n\(error)" : " `trackerd config check` on the tracker shows it."
            throw ControlError("trackerd could not start again, because the configuration file has an error.\(errors)")
        }
    }
}

extension Tracker {
    /// Whether to end the program now, because a request wants to restart it and the disk has accepted everything.
    func isRestartDue(at now: Instant) -> Bool {
        guard mustRestart, performer.diskFault == nil else { return false }
        return performer.save(engine.state, at: now) && performer.unwrittenCount == 0
    }
}
