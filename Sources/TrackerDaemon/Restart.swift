package import Configuration
import Control
import Quantities
import Tracking

/// What the tracker knows of the program in which it runs.
package struct RunningProgram {
    /// The name of the tracker, which the status shows; nil in a replay.
    package var device: String?
    /// Reads the configuration again; nil if the program has no configuration file.
    package var readConfiguration: (() throws(ConfigurationError) -> ConfigurationChange)?
    /// Checks that the program could start with the present configuration file; nil if the program cannot start itself again.
    package var checkStart: (() throws(ConfigurationError) -> Void)?
    /// Whether the program must end and start again as soon as all records are on disk.
    var mustRestart = false
}

extension Tracker {
    /// A server may restart the program only when it has run for this time, so that repeated orders cannot stop the tracking.
    static let shortestRun = Duration.seconds(3600)

    /// Makes the program end and start again as soon as all records are on disk.
    func planRestart(forServer: Bool, at now: Instant) throws(ControlError) {
        if forServer { try Self.checkRun(now - began) }
        if let fault = performer.diskFault {
            throw ControlError("a restart would lose the records that are only in memory. \(fault)")
        }
        try checkStart(forServer: forServer)
        program.mustRestart = true
    }

    private static func checkRun(_ run: Duration) throws(ControlError) {
        guard run < shortestRun else { return }
        let minutes = Int(run.inSeconds / 60)
        throw ControlError(
            "trackerd started \(minutes) min ago, and a server can restart it only an hour after its start. Send the order again later."
        )
    }

    /// Throws if the program could not start with the present configuration file.
    private func checkStart(forServer: Bool) throws(ControlError) {
        guard let check = program.checkStart else { throw ControlError("this program cannot start itself again.") }
        do throws(ConfigurationError) {
            try check()
        } catch {
            // The errors contain paths and values of the file, which no server may read.
            let errors = forServer ? " `trackerd config check` on the tracker shows it." : "\n\(error)"
            throw ControlError("trackerd could not start again, because the configuration file has an error.\(errors)")
        }
    }

    /// Whether to end the program now, because a request wants to restart it and the disk has accepted everything.
    func isRestartDue(at now: Instant) -> Bool {
        guard program.mustRestart, performer.diskFault == nil else { return false }
        return performer.save(engine.state, at: now) && performer.unwrittenCount == 0
    }
}
