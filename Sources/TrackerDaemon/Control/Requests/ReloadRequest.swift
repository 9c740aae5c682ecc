/// `config reload`: adopt the configuration file as it is now.
package struct ReloadRequest: ControlRequest {
    package static let manual = ControlManual(
        "config reload",
        "Adopts the changed configuration file without interrupting tracking; a file with an error changes nothing.",
        command: "`trackerd config reload`, `systemctl reload trackerd`, SIGHUP")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: ControlSession) throws(ControlError) -> ControlOutcome? {
        do throws(ConfigurationError) {
            return try session.tracker.adoptConfiguration(at: session.now)
        } catch {
            throw ControlError("\(error)\n\(ConfigurationChange.refusal)")
        }
    }
}
