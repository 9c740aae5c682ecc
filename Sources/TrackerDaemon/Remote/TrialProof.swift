import Quantities
import Tracking

/// The record that a server must receive to confirm the options that the server has sent.
struct TrialProof: Sendable, Hashable {
    /// The name of the target.
    let target: String
    /// The number of the record; nil after a restart, when any new delivery confirms the options.
    let record: Int64?
    /// The number of deliveries at the last check.
    var deliveries: Int
}

extension Tracker {
    /// Confirms the options of a server once the server has received a record that the tracker made with these options.
    ///
    /// This check needs no timer of its own: the loop runs the check at the latest when the timer of the trial expires.
    func proveOptions(at now: Instant) {
        guard let trial = engine.optionsTrial else {
            trialProof = nil
            return
        }
        let count = uploads.deliveries(trial.target)
        var proof = trialProof ?? TrialProof(target: trial.target, record: nil, deliveries: count)
        defer { if engine.optionsTrial != nil { trialProof = proof } }
        guard count != proof.deliveries else { return }
        proof.deliveries = count
        if proof.record.map({ performer.isDelivered($0, to: trial.target) }) ?? true {
            handle(.delivered(target: trial.target), at: now)
            _ = performer.save(engine.state, at: now)
        }
    }
}
