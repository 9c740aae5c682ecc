package import Configuration
import Control
import Quantities

/// What the tracker knows of the program in which it runs.
package struct RunningProgram {
    /// A server may restart the program only when it has run for this time, so that repeated orders cannot stop the tracking.
    private static let shortestRun = Duration.seconds(3600)

    /// The name of the tracker, which the status shows; nil if the program sets none.
    private(set) var device: String?
    private let readConfiguration: (() throws(ConfigurationError) -> ConfigurationChange)?
    private let checkStart: (() throws(ConfigurationError) -> Void)?
    /// Whether the program must end and start again as soon as all records are on disk.
    private(set) var mustRestart = false

    /// - `readConfiguration`: reads the configuration again; nil if the program has no configuration file.
    /// - `checkStart`: checks that the program could start with the present configuration file; nil if the program cannot start
    ///   itself again.
    package init(
        device: String? = nil, readConfiguration: (() throws(ConfigurationError) -> ConfigurationChange)? = nil,
        checkStart: (() throws(ConfigurationError) -> Void)? = nil
    ) {
        (self.device, self.readConfiguration, self.checkStart) = (device, readConfiguration, checkStart)
    }

    /// Nil if there is no configuration file.
    mutating func readAgain() throws(ConfigurationError) -> ConfigurationChange? {
        guard let change = try readConfiguration?() else { return nil }
        device = change.device
        return change
    }

    /// `run` is the time for which the program has run.
    mutating func planRestart(forServer: Bool, after run: Duration, diskFault: String?) throws(ControlError) {
        if forServer, run < Self.shortestRun {
            let minutes = Int(run.inSeconds / 60)
            throw ControlError(
                "trackerd started \(minutes) min ago, and a server can restart it no sooner than an hour after its start. Send the order again later."
            )
        }
        if let diskFault {
            throw ControlError("a restart would lose the records that are only in memory. \(diskFault)")
        }
        try tryStart(forServer: forServer)
        mustRestart = true
    }

    private func tryStart(forServer: Bool) throws(ControlError) {
        guard let checkStart else { throw ControlError("this program cannot restart itself.") }
        do throws(ConfigurationError) {
            try checkStart()
        } catch {
            // The errors contain paths and values of the file, which no server may read.
            let errors = forServer ? " `trackerd config check` on the tracker shows it." : "\n\(error)"
            throw ControlError("trackerd did not restart, because the configuration file has an error.\(errors)")
        }
    }
}
