package import Hardware
package import Tracking
package import Upload

/// What a running tracker adopts after the file was read again.
package struct ConfigurationChange: Sendable {
    package let file: String
    package let device: String
    package let setup: EngineConfiguration
    package let targets: [UploadTarget]
    package let remoteControl: RemoteControl
    package let notes: [ConfigurationError.Problem]

    /// Throws if the file changes a setting that a running tracker cannot change; then nothing is adopted.
    package init(
        file: String, from former: (configuration: Configuration, board: BoardDescription),
        to changed: (configuration: Configuration, board: BoardDescription)
    ) throws(ConfigurationError) {
        let (before, after) = (former.configuration, changed.configuration)
        let fixed = [
            ("`\(BoardEntry.key)` or the board file", former.board == changed.board),
            ("`store`", before.storePath == after.storePath && before.grouping == after.grouping),
            ("`control`", before.controlSocket == after.controlSocket && before.readSocket == after.readSocket),
            ("`metrics`", before.metrics == after.metrics),
        ]
        let problems = fixed.filter { !$0.1 }.map { subject, _ in
            ConfigurationError.Problem(
                file: file, line: nil,
                text:
                    "\(subject) has changed. The change takes effect only when trackerd starts. Restart trackerd, or undo the change."
            )
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        self.file = file
        setup = after.setup(for: changed.board)
        (device, targets) = (after.device, after.targets)
        remoteControl = RemoteControl(after)
        notes = after.notes
    }
}
