import Quantities
import Tracking
import Upload

/// The record that a server must receive to confirm the options that the server has sent.
struct TrialProof: Sendable, Hashable {
    /// The name of the target.
    let target: String
    /// The number of the record; nil after a restart, when any new delivery confirms the options.
    let record: Int64?
    /// The number of records that the server had received at the last check.
    ///
    /// If the target's format has no message for a record, the database counts the record as delivered. This number
    /// does not count such records.
    var received: Int
}

extension Tracker {
    /// Confirms the options of a server once the server has received a record that the tracker made with these options.
    ///
    /// This check needs no timer of its own, because the loop runs the check at the latest when the timer of the trial
    /// expires.
    func proveOptions(at now: Instant) {
        guard let trial = engine.optionsTrial else {
            trialProof = nil
            return
        }
        let count = uploads.counts(trial.target).records
        var proof = trialProof ?? TrialProof(target: trial.target, record: nil, received: count)
        defer { if engine.optionsTrial != nil { trialProof = proof } }
        guard count != proof.received else { return }
        proof.received = count
        if proof.record.map({ performer.isDelivered($0, to: trial.target) }) ?? true {
            handle(.delivered(target: trial.target), at: now)
            _ = performer.save(engine.state, at: now)
        }
    }
}
