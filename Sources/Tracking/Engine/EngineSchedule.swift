//  The schedule and the clock: when tracking is suspended, and how a correction of the time affects the engine.

import Quantities

extension Engine {
    /// Evaluates the schedule, and begins or ends tracking if the suspension of tracking has ended or begun.
    ///
    /// `wasSuspended` states whether tracking was suspended before the event. Pass this value if the event may have
    /// changed the suspension.
    mutating func updateSchedule(
        wasSuspended: Bool? = nil, into effects: inout EffectBuffer
    ) {
        let wasSuspended = wasSuspended ?? isSuspended
        guard let change = gate.update(wasSuspended: wasSuspended, context, into: &effects) else { return }
        suspend(from: wasSuspended, because: change.reason, into: &effects)
        if let next = change.next { effects.arm(.schedule, at: next) }
    }

    mutating func suspend(
        from wasSuspended: Bool, because reason: String, into effects: inout EffectBuffer
    ) {
        switch (wasSuspended, isSuspended) {
        case (false, true):
            endTracking(because: reason, into: &effects)
            rescan(into: &effects)
        case (true, false): start(into: &effects)
        case (true, true), (false, false): break
        }
    }

    /// Corrects the timestamps from an untrusted or wrong clock, now that UTC is known; `span` is nil without a
    /// correction.
    mutating func correct(by span: Duration?, into effects: inout EffectBuffer) {
        guard let span else { return }
        effects.append(.correctTimestamps(before: now, by: span))
        equipment.logbook.correct(by: span)
        privacy.correct(by: span)
        tendPrivacy(into: &effects)
        armPrivacy(into: &effects)
        health.clockIsSet(context, equipment.logbook, into: &effects)
        updateSchedule(into: &effects)
    }
}
