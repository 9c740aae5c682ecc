package import Hardware
import Logging
import Quantities
import Store
import Tracking
import Upload

/// The settings that a running tracker adopts after it has read the configuration file again.
package struct ConfigurationChange: Sendable {
    /// The file.
    let file: String
    /// The name of the tracker.
    let device: String
    /// The settings of the engine.
    let setup: EngineConfiguration
    /// The servers.
    let targets: [UploadTarget]
    /// The orders that the servers may send.
    let remoteControl: RemoteControl
    /// Hints for the owner, for example about keys that have no effect.
    let notes: [ConfigurationError.Problem]

    /// Compares the configuration that was read again with the configuration in force.
    ///
    /// - Throws: An error if the file changes a setting that a running tracker cannot change; then the tracker adopts no part
    ///   of the file.
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

extension Tracker {
    /// Adopts the configuration file as it is now; logs and returns the outcome.
    ///
    /// - Throws: All errors of the file; then the whole former configuration remains in force.
    func adoptConfiguration(at now: Instant) throws(ConfigurationError) -> ControlOutcome {
        guard let readConfiguration else {
            return ControlOutcome(text: "This program has no configuration file.", on_disk: true, records: [])
        }
        let change = try readConfiguration()
        for note in change.notes { log.warning("\(note)") }
        let records = handle(.configuration(change.setup), at: now)
        performer.store(for: change.targets.map(\.name))
        uploads.replace(change.targets)
        (device, remoteControl) = (change.device, change.remoteControl)
        followServerRegions(at: now)
        let isOnDisk = performer.save(engine.state, at: now)
        let text = change.sentence(after: records)
        log.notice("\(text)")
        return ControlOutcome(text: text, on_disk: isOnDisk, records: records.map(ControlRecord.init))
    }

    /// Adopts the configuration file after a signal.
    func reload(at now: Instant) {
        do throws(ConfigurationError) {
            _ = try adoptConfiguration(at: now)
        } catch {
            log.error("\(ConfigurationChange.refusal(error))")
        }
    }
}

extension ConfigurationChange {
    /// Returns the message in one line if the tracker adopts no part of a file.
    static func refusal(_ error: ConfigurationError) -> String {
        let sentences = error.problems.map(\.description) + ["The former configuration remains in force."]
        return sentences.joined(separator: " ")
    }

    /// Returns a sentence about the adopted configuration; `records` names the changed options.
    fileprivate func sentence(after records: [StoredRecord]) -> String {
        let keys = records.flatMap { stored in
            if case .optionschange(let change) = stored.record.content { change.keys } else { [] as [String] }
        }
        let options = keys.isEmpty ? "none" : keys.joined(separator: ", ")
        let count = targets.count
        return
            "\(file) is in force, with \(count) \(count == 1 ? "target" : "targets"). Changed tracking options: \(options)."
    }
}
