package struct ReloadRequest: ControlRequest {
    package static let manual = ControlManual(
        "config reload",
        "Loads the changed configuration file while tracking continues; rejects the whole file if it contains an error.",
        command: "`trackerd config reload`, `systemctl reload trackerd`, SIGHUP")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        try session.reload()
    }
}
