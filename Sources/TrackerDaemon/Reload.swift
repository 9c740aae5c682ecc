import Configuration
import Control
import Logging
import Quantities
import Store
import Tracking
import Upload

/// Reads the configuration file again.
extension Tracker {
    /// Adopts the configuration file as it is now; logs and returns the outcome.
    ///
    /// - Throws: All errors of the file; then the whole former configuration remains in force.
    func adoptConfiguration(at now: Instant) throws(ConfigurationError) -> ControlOutcome {
        guard let readConfiguration = program.readConfiguration else {
            return ControlOutcome(text: "This program has no configuration file.", on_disk: true, records: [])
        }
        let change = try readConfiguration()
        for note in change.notes { log.warning("\(note)") }
        let records = handle(.configuration(change.setup), at: now)
        performer.store(for: change.targets.map(\.name))
        uploads.replace(change.targets)
        (program.device, orders.permissions) = (change.device, change.remoteControl)
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
