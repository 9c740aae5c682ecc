import Quantities
import Tracking
import TrackingOptions

/// What a server must receive to confirm the options that it has sent: a record with a position.
private struct TrialProof {
    let target: String
    /// The number of the first suitable record since the trial began, or since the start of the program; nil if there is
    /// none yet.
    var record: Int64?
    /// The number of records that the server had received at the last check.
    ///
    /// If the target's format has no message for a record, the database counts the record as delivered. This number
    /// does not count such records.
    var received: Int
    var isDelivered = false
    /// The time of the last fix before the trial; nil if there was none.
    let lastFix: Timestamp?
    /// Whether the tracker knew a position before the trial.
    let hadPosition: Bool
}

/// Finds out whether a server has confirmed the options that it has sent.
struct TrialWatch {
    /// What the server must receive; nil if no options are on trial.
    private var proof: TrialProof?

    mutating func reset() { proof = nil }

    /// - `received`: returns the number of records that a target has received.
    mutating func note(_ stored: StoredRecord, in engine: EngineStatus, received: (String) -> Int) {
        guard let trial = engine.optionsTrial else { return }
        var proof = presentProof(of: trial, in: engine, received)
        if proof.record == nil, Self.isSuitable(stored.record, proof, in: engine) { proof.record = stored.sequence }
        self.proof = proof
    }

    /// Returns the target whose server has received a suitable record of the trial, if the tracker also still has fixes.
    ///
    /// This check needs no timer, because the loop runs it at the latest when the timer of the trial expires.
    mutating func provenTarget(
        in engine: EngineStatus, received: (String) -> Int, isDelivered: (Int64, String) -> Bool
    ) -> String? {
        guard let trial = engine.optionsTrial else {
            proof = nil
            return nil
        }
        var proof = presentProof(of: trial, in: engine, received)
        let count = received(trial.target)
        if count != proof.received {
            proof.received = count
            let isNew = proof.record.map { isDelivered($0, trial.target) } ?? false
            proof.isDelivered = proof.isDelivered || isNew
        }
        self.proof = proof
        return proof.isDelivered && Self.hasFixes(since: proof, in: engine) ? trial.target : nil
    }

    private func presentProof(of trial: OptionsTrial, in engine: EngineStatus, _ received: (String) -> Int) -> TrialProof {
        if let proof, proof.target == trial.target { return proof }
        return TrialProof(
            target: trial.target, received: received(trial.target), lastFix: engine.lastFix?.time,
            hadPosition: engine.lastKnownPlace != nil)
    }

    /// Whether the owner's mode or a private period keeps positions out of the records, or the options power no receiver.
    private static func hidesPositions(_ engine: EngineStatus) -> Bool {
        let options = engine.resolvedOptions.options
        return engine.isPrivate || !options.monitoring.recordsUnasked || !options.powersReceiver
    }

    /// Whether a record can confirm the options: one with a position, or any record if no position is to be expected.
    private static func isSuitable(_ record: Record, _ proof: TrialProof, in engine: EngineStatus) -> Bool {
        record.position != nil || hidesPositions(engine) || (!engine.isMoving && !proof.hadPosition)
    }

    /// Whether the receiver has delivered a fix since the trial began, if one is to be expected.
    ///
    /// The receiver of a parked vehicle is off; during a trip it may be off until the next record is due.
    private static func hasFixes(since proof: TrialProof, in engine: EngineStatus) -> Bool {
        guard engine.isMoving, !hidesPositions(engine) else { return true }
        let interval = engine.resolvedOptions.options.desiredMovingUpdateInterval
        return interval >= OptionsTrial.duration || engine.lastFix?.time != proof.lastFix
    }
}
