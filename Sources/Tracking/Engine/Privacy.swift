import Quantities
import TrackingOptions

/// Private times and places: in a private period, no record with a position leaves the engine, and no trip begins. The
/// other rules decide as at any other time.
struct Privacy: Sendable {
    private let keptInMemory = KeptInMemory()
    private var gate: PrivacyGate

    init(_ options: TrackingOptions, _ configuration: EngineConfiguration, restoring snapshot: PrivacyGate.Snapshot) {
        gate = PrivacyGate(options, configuration.privatePlaces, zone: configuration.zone, restoring: snapshot)
    }

    var snapshot: PrivacyGate.Snapshot { gate.snapshot }

    var isPrivate: Bool { gate.isPrivate }

    /// True if a private period has ended, and no other lasts.
    var isPublicAgain: Bool { gate.ended != nil && !gate.isPrivate }

    var reasons: [PrivacyReason] { gate.reasons }

    func end(at now: UTCTime) -> Timestamp? { gate.end(at: now) }

    func outlasts(_ span: Duration?, at now: UTCTime) -> Bool { gate.outlasts(span, at: now) }

    func updateFacts(of turn: inout Turn) {
        (turn.isPrivate, turn.privatePlaces, turn.publicSince) = (gate.isPrivate, gate.places, gate.ended)
    }

    /// Returns the place of the last fix if it is from the present or the last private period. The place of a parked
    /// vehicle is not hidden.
    func hiddenPlace(_ logbook: Logbook, isMoving: Bool) -> Coordinate? {
        guard gate.hasBegun, isMoving || logbook.parked == nil, let fix = logbook.lastFix else { return nil }
        return gate.covers(fix.time) ? fix.coordinate : nil
    }

    /// Filters the records that this event has caused since the last call.
    func filterRecords(_ logbook: Logbook, in turn: inout Turn) {
        if gate.mayHide {
            let filter = PrivacyFilter(gate: gate, hidden: hiddenPlace(logbook, isMoving: turn.isMoving))
            turn.effects.filterRecords(after: turn.filteredCount, filter.admit)
        }
        turn.filteredCount = turn.effects.count
    }

    func arm(in turn: inout Turn) {
        guard let next = gate.nextChange else { return }
        turn.effects.arm(.privacy, at: turn.now + max(.zero, next - turn.utc.time))
    }

    /// Begins or ends a private period that is due.
    mutating func tend(_ logbook: inout Logbook, in turn: inout Turn) {
        let time = turn.utc
        guard gate.isDue(at: time) else { return }
        change(&logbook, in: &turn) { $0.look(at: time) }
    }

    mutating func follow(_ configuration: EngineConfiguration, _ logbook: inout Logbook, in turn: inout Turn) {
        let (place, options, time) = (logbook.place(isMoving: turn.isMoving), turn.shared, turn.utc)
        change(&logbook, in: &turn) { gate in
            gate.follow(options.options, configuration)
            gate.settle(at: place)
            gate.look(at: time)
        }
    }

    mutating func check(_ fix: AcceptedFix, _ logbook: inout Logbook, in turn: inout Turn) {
        tend(&logbook, in: &turn)
        guard !gate.places.isEmpty else { return }
        change(at: fix, &logbook, in: &turn) { $0.settle(at: fix.position) }
    }

    /// Without `span`, the period lasts until a command ends it.
    mutating func command(_ isOn: Bool, for span: Duration?, _ logbook: inout Logbook, in turn: inout Turn) {
        let time = turn.utc
        change(&logbook, in: &turn) { gate in
            gate.isTowed = false
            if isOn { gate.hold(for: span, at: time) } else { gate.release() }
            gate.look(at: time)
        }
    }

    /// Ends the private periods in force, because the vehicle is towed: they protect a driver who is not there.
    mutating func reveal(_ logbook: inout Logbook, in turn: inout Turn) {
        guard gate.isPrivate else { return }
        change(&logbook, in: &turn) { $0.isTowed = true }
    }

    mutating func driverReturned(_ logbook: inout Logbook, in turn: inout Turn) {
        guard gate.isTowed else { return }
        change(&logbook, in: &turn) { $0.isTowed = false }
    }

    mutating func turn(switch isOn: Bool, _ logbook: inout Logbook, in turn: inout Turn) {
        change(&logbook, in: &turn) { $0.turn(switch: isOn) }
    }

    mutating func adopt(
        _ merged: PrivacyGate.State, _ configuration: EngineConfiguration, _ logbook: inout Logbook,
        in turn: inout Turn
    ) {
        let (options, time) = (turn.shared, turn.utc)
        change(&logbook, in: &turn) { gate in
            gate.adopt(merged)
            gate.follow(options.options, configuration)
            gate.look(at: time)
        }
    }

    mutating func correct(by span: Duration, _ logbook: inout Logbook, in turn: inout Turn) {
        gate.correct(by: span)
        updateFacts(of: &turn)
        tend(&logbook, in: &turn)
        arm(in: &turn)
    }

    /// `fix` is nil if another event causes the change.
    private mutating func change(
        at fix: AcceptedFix? = nil, _ logbook: inout Logbook, in turn: inout Turn, _ change: (inout PrivacyGate) -> Void
    ) {
        let next = gate.nextChange
        var changed = gate
        change(&changed)
        if changed.reasons.isEmpty { changed.isTowed = false }
        switch (gate.isPrivate, changed.isPrivate) {
        case (false, true): begin(changed, at: fix, &logbook, in: &turn)
        case (true, false): end(changed, at: fix, &logbook, in: &turn)
        case (true, true), (false, false):
            gate = changed
            updateFacts(of: &turn)
        }
        if gate.nextChange != next { arm(in: &turn) }
    }

    /// Ends the trip at the last place that is not private.
    private mutating func begin(
        _ changed: PrivacyGate, at fix: AcceptedFix?, _ logbook: inout Logbook, in turn: inout Turn
    ) {
        logbook.endTripBeforePrivacy(in: &turn)
        filterRecords(logbook, in: &turn)
        gate = changed
        let time = turn.utc
        gate.begin(at: min(time.time, fix?.time ?? time.time), isTrusted: time.isTrusted)
        updateFacts(of: &turn)
        turn.effects.decide(.privacy, "private from now on: \(changed.reasons.map(\.text).joined(separator: ", "))")
        logbook.record(.health(HealthReport(.privacyBegan)), in: &turn)
    }

    /// Ends a private period: records the place of a parked vehicle. A moving vehicle begins a trip at the next fix.
    private mutating func end(
        _ changed: PrivacyGate, at fix: AcceptedFix?, _ logbook: inout Logbook, in turn: inout Turn
    ) {
        let reasons = gate.reasons
        logbook.record(.health(HealthReport(.privacyEnded)), in: &turn)
        filterRecords(logbook, in: &turn)
        gate = changed
        let time = turn.utc
        gate.end(at: fix?.time ?? time.time, isTrusted: time.isTrusted)
        updateFacts(of: &turn)
        turn.effects.decide(.privacy, "no longer private: \(reasons.map(\.text).joined(separator: ", ")) ended")
        logbook.resumeAfterPrivacy(in: &turn)
    }
}

extension PrivacyGate {
    fileprivate mutating func follow(_ options: TrackingOptions, _ configuration: EngineConfiguration) {
        follow(
            options, configuration.privatePlaces, zone: configuration.zone, hasSwitch: configuration.hasPrivateSwitch)
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
