import Quantities
import Tracking
import TrackingOptions
import Upload

/// What a server must receive to confirm the options that it has sent: a record with a position.
struct TrialProof: Sendable, Hashable {
    /// The name of the target.
    let target: String
    /// The number of the first suitable record since the trial began, or since the start of the program; nil if there is
    /// none yet.
    fileprivate var record: Int64?
    /// The number of records that the server had received at the last check.
    ///
    /// If the target's format has no message for a record, the database counts the record as delivered. This number
    /// does not count such records.
    fileprivate var received: Int
    /// Whether the server has received the record.
    fileprivate var isDelivered = false
    /// The time of the last fix before the trial; nil if there was none.
    fileprivate let lastFix: Timestamp?
    /// Whether the tracker knew a position before the trial.
    fileprivate let hadPosition: Bool
}

extension Tracker {
    /// Notes a record that the tracker has made while the options of a server are on trial.
    func noteForTrial(_ stored: StoredRecord) {
        guard let trial = engine.optionsTrial else { return }
        var proof = presentProof(of: trial)
        if proof.record == nil, isSuitable(stored.record, proof) { proof.record = stored.sequence }
        trialProof = proof
    }

    /// Confirms the options of a server once the server has received a suitable record that the tracker made with these
    /// options, and the tracker has shown that it still has fixes.
    ///
    /// This check needs no timer of its own, because the loop runs the check at the latest when the timer of the trial
    /// expires.
    func proveOptions(at now: Instant) {
        guard let trial = engine.optionsTrial else {
            trialProof = nil
            return
        }
        var proof = presentProof(of: trial)
        let count = uploads.counts(trial.target).records
        if count != proof.received {
            proof.received = count
            let isDelivered = proof.record.map { performer.isDelivered($0, to: trial.target) } ?? false
            proof.isDelivered = proof.isDelivered || isDelivered
        }
        trialProof = proof
        guard proof.isDelivered, hasFixes(since: proof) else { return }
        handle(.delivered(target: trial.target), at: now)
        trialProof = nil
        _ = performer.save(engine.state, at: now)
    }

    private func presentProof(of trial: OptionsTrial) -> TrialProof {
        if let trialProof, trialProof.target == trial.target { return trialProof }
        let lastFix = engine.lastFix?.time
        return TrialProof(
            target: trial.target, received: uploads.counts(trial.target).records, lastFix: lastFix,
            hadPosition: engine.lastKnownPlace != nil)
    }

    /// Whether the owner's mode or a private period keeps positions out of the records, or the options power no receiver.
    private var hidesPositions: Bool {
        let options = engine.resolvedOptions.options
        return engine.isPrivate || !options.monitoring.recordsUnasked || !options.powersReceiver
    }

    /// Whether a record can confirm the options: one with a position, or any record if no position is to be expected.
    private func isSuitable(_ record: Record, _ proof: TrialProof) -> Bool {
        record.position != nil || hidesPositions || (!engine.isMoving && !proof.hadPosition)
    }

    /// Whether the receiver has delivered a fix since the trial began, if the trial is long enough to expect one.
    ///
    /// The receiver of a parked vehicle is off. During a trip it may be off until the next record is due.
    private func hasFixes(since proof: TrialProof) -> Bool {
        guard engine.isMoving, !hidesPositions else { return true }
        let interval = engine.resolvedOptions.options.desiredMovingUpdateInterval
        return interval >= OptionsTrial.duration || engine.lastFix?.time != proof.lastFix
    }
}
