import Quantities
import Tracking
import TrackingOptions

/// What confirms a server's options: a record that the server has received, with a position if one can be expected.
private struct TrialProof {
    let target: String
    /// The first suitable record since the trial or the program began.
    var record: Int64?
    /// The number of received records at the last check. Records without a message in the target's format do not
    /// count.
    var received: Int
    var isDelivered = false
    /// The time of the last fix before the trial.
    let lastFix: Timestamp?
    /// True if a position was known before the trial.
    let hadPosition: Bool
}

struct TrialWatch {
    /// Nil without a trial.
    private var proof: TrialProof?

    mutating func reset() { proof = nil }

    mutating func note(_ stored: StoredRecord, in engine: EngineStatus, received: (String) -> Int) {
        guard let trial = engine.optionsTrial else { return }
        var proof = presentProof(of: trial, in: engine, received)
        if proof.record == nil, Self.isSuitable(stored.record, proof, in: engine) { proof.record = stored.sequence }
        self.proof = proof
    }

    /// The target whose options are proven, if the tracker still has fixes. This needs no timer of its own: the loop
    /// checks at the latest when the trial's timer expires.
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

    private func presentProof(of trial: OptionsTrial, in engine: EngineStatus, _ received: (String) -> Int)
        -> TrialProof
    {
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

    /// True if a record has a position, or if none is to be expected.
    private static func isSuitable(_ record: Record, _ proof: TrialProof, in engine: EngineStatus) -> Bool {
        record.position != nil || hidesPositions(engine) || (!engine.isMoving && !proof.hadPosition)
    }

    /// True if there was a fix since the trial began, or if none is to be expected: the receiver of a parked vehicle is off,
    /// and during a trip it may be off until the next record is due.
    private static func hasFixes(since proof: TrialProof, in engine: EngineStatus) -> Bool {
        guard engine.isMoving, !hidesPositions(engine) else { return true }
        let interval = engine.resolvedOptions.options.desiredMovingUpdateInterval
        return interval >= OptionsTrial.duration || engine.lastFix?.time != proof.lastFix
    }
}
