//  Private times and places: in a private period, no record with a position leaves the engine, and no trip begins. The
//  other rules decide as at any other time.

package import Quantities

extension Engine {
    /// Whether the tracker may record no position now.
    package var isPrivate: Bool { privacy.isPrivate }

    /// Why the tracker may record no position now; empty if it may.
    package var privacyReasons: [PrivacyReason] { privacy.reasons }

    /// Returns when the present private period ends; nil if that is unknown.
    package func privacyEnd(at now: Instant) -> Timestamp? { privacy.end(at: utc.time(at: now)) }

    /// Returns whether the present period by command ends later than a period of `span` that begins now.
    ///
    /// - `span`: the duration of the other period; nil for a period without an end.
    package func privacyOutlasts(_ span: Duration?, at now: Instant) -> Bool {
        privacy.outlasts(span, at: utc.time(at: now))
    }

    /// A position that the receiver measured in a private period, although the period is over; nil if there is none.
    ///
    /// The place of a parked vehicle is not private, because the vehicle is still there after the period.
    var hiddenPlace: Coordinate? {
        guard let fix = lastFix, vehicle.isMoving || equipment.logbook.parked == nil else { return nil }
        return privacy.covers(fix.time) ? fix.coordinate : nil
    }

    /// Evaluates the private times if they may have begun or ended.
    mutating func tendPrivacy(in turn: inout Turn) {
        let time = turn.utc
        guard privacy.isDue(at: time) else { return }
        changePrivacy(in: &turn) { $0.look(at: time) }
    }

    /// Evaluates the private times and the private places with the present options and configuration.
    mutating func followPrivacy(in turn: inout Turn) {
        let place = equipment.logbook.place(isMoving: vehicle.isMoving)
        let (options, configuration, time) = (options.options, configuration, turn.utc)
        changePrivacy(in: &turn) { gate in
            gate.follow(
                options, configuration.privatePlaces, zone: configuration.zone,
                hasSwitch: configuration.hasPrivateSwitch)
            gate.settle(at: place)
            gate.look(at: time)
        }
    }

    /// Evaluates the private places at a fix.
    mutating func checkPrivacy(of fix: AcceptedFix, in turn: inout Turn) {
        guard !privacy.places.isEmpty else { return }
        changePrivacy(at: fix, in: &turn) { $0.settle(at: fix.position) }
    }

    /// Begins a private period by command, or ends it.
    ///
    /// - `span`: how long the period lasts; nil for a period until the command that ends it.
    mutating func holdPrivacy(_ isOn: Bool, for span: Duration?, in turn: inout Turn) {
        let time = turn.utc
        changePrivacy(in: &turn) { gate in
            if isOn { gate.hold(for: span, at: time) } else { gate.release() }
            gate.look(at: time)
        }
    }

    /// Begins or ends a private period by the private switch.
    mutating func setPrivateSwitch(_ isOn: Bool, in turn: inout Turn) {
        changePrivacy(in: &turn) { $0.turn(switch: isOn) }
    }

    /// Continues the private period of a state that the store found only after the start.
    mutating func adoptPrivacy(_ merged: PrivacyGate.State, in turn: inout Turn) {
        let (options, configuration, time) = (options.options, configuration, turn.utc)
        changePrivacy(in: &turn) { gate in
            gate.adopt(merged)
            gate.follow(
                options, configuration.privatePlaces, zone: configuration.zone,
                hasSwitch: configuration.hasPrivateSwitch)
            gate.look(at: time)
        }
    }

    /// Arms the timer for the next change of the private times.
    mutating func armPrivacy(in turn: inout Turn) {
        guard let next = privacy.nextChange else { return }
        turn.effects.arm(.privacy, at: turn.now + max(.zero, next - turn.utc.time))
    }

    /// Begins a new trip at the first fix after a private period, if the vehicle moves.
    mutating func beginPublicTrip(at fix: AcceptedFix, in turn: inout Turn) {
        guard case .moving(let state) = vehicle, privacy.hasEnded, !privacy.isPrivate else { return }
        equipment.logbook.beginTrip(at: fix, isConfirmed: state.value.isStartConfirmed, in: &turn)
    }

    /// Applies the privacy filter to the records that the present event has caused since the last call.
    mutating func filterRecords(in turn: inout Turn) {
        if privacy.mayHide {
            let filter = PrivacyFilter(gate: privacy, hidden: hiddenPlace)
            turn.effects.filterRecords(after: turn.filteredCount, filter.admit)
        }
        turn.filteredCount = turn.effects.count
    }

    /// Changes what is private, and begins or ends a private period if necessary.
    ///
    /// - `fix`: the fix that causes the change; nil if another event causes it.
    private mutating func changePrivacy(
        at fix: AcceptedFix? = nil, in turn: inout Turn, _ change: (inout PrivacyGate) -> Void
    ) {
        let next = privacy.nextChange
        var changed = privacy
        change(&changed)
        switch (privacy.isPrivate, changed.isPrivate) {
        case (false, true): beginPrivacy(changed, at: fix, in: &turn)
        case (true, false): endPrivacy(changed, at: fix, in: &turn)
        case (true, true), (false, false):
            privacy = changed
            updateFacts(of: &turn)
        }
        if privacy.nextChange != next { armPrivacy(in: &turn) }
    }

    /// Begins a private period: ends the trip at the last place that is not private.
    private mutating func beginPrivacy(_ changed: PrivacyGate, at fix: AcceptedFix?, in turn: inout Turn) {
        equipment.logbook.endTripBeforePrivacy(in: &turn)
        filterRecords(in: &turn)
        privacy = changed
        let time = turn.utc
        privacy.begin(at: min(time.time, fix?.time ?? time.time), isTrusted: time.isTrusted)
        updateFacts(of: &turn)
        turn.effects.decide(.privacy, "private from now on: \(changed.reasons.map(\.text).joined(separator: ", "))")
        health.record(.privacyBegan, equipment.logbook, in: &turn)
    }

    /// Ends a private period: records where a parked vehicle is; a moving vehicle begins a new trip at the next fix.
    private mutating func endPrivacy(_ changed: PrivacyGate, at fix: AcceptedFix?, in turn: inout Turn) {
        let reasons = privacy.reasons
        health.record(.privacyEnded, equipment.logbook, in: &turn)
        filterRecords(in: &turn)
        privacy = changed
        let time = turn.utc
        privacy.end(at: fix?.time ?? time.time, isTrusted: time.isTrusted)
        updateFacts(of: &turn)
        turn.effects.decide(.privacy, "no longer private: \(reasons.map(\.text).joined(separator: ", ")) ended")
        equipment.logbook.resumeAfterPrivacy(in: &turn)
    }
}

extension PrivacyReason {
    package var text: String {
        switch self {
        case .command: "by command"
        case .time: "private time"
        case .place: "private place"
        case .privateSwitch: "private switch"
        }
    }
}
