//  The schedule and the clock: when tracking is suspended, and how a correction of the time affects the engine.

import Quantities

extension Engine {
    /// Evaluates the schedule, and begins or ends tracking if the suspension of tracking has ended or begun.
    ///
    /// `wasSuspended` states whether tracking was suspended before the event. Pass this value if the event may have
    /// changed the suspension.
    mutating func updateSchedule(wasSuspended: Bool? = nil, in turn: inout Turn) {
        let wasSuspended = wasSuspended ?? isSuspended
        let change = gate.update(wasSuspended: wasSuspended, in: &turn)
        updateFacts(of: &turn)
        guard let change else { return }
        suspend(from: wasSuspended, because: change.reason, in: &turn)
        if let next = change.next { turn.effects.arm(.schedule, at: next) }
    }

    mutating func suspend(from wasSuspended: Bool, because reason: String, in turn: inout Turn) {
        switch (wasSuspended, isSuspended) {
        case (false, true):
            endTracking(because: reason, in: &turn)
            rescan(in: &turn)
        case (true, false): start(in: &turn)
        case (true, true), (false, false): break
        }
    }

    /// Corrects the timestamps from an untrusted or wrong clock, now that UTC is known; `span` is nil without a
    /// correction.
    mutating func correct(by span: Duration?, in turn: inout Turn) {
        guard let span else { return }
        turn.effects.append(.correctTimestamps(before: turn.now, by: span))
        equipment.logbook.correct(by: span)
        privacy.correct(by: span)
        updateFacts(of: &turn)
        tendPrivacy(in: &turn)
        armPrivacy(in: &turn)
        health.clockIsSet(equipment.logbook, in: &turn)
        updateSchedule(in: &turn)
    }
}
