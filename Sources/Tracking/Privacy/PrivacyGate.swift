import Calendar
import Quantities
import TrackingOptions

/// Why the present time is private.
package enum PrivacyReason: String, Sendable, Hashable, CaseIterable {
    /// A user or server has given the command.
    case command
    /// The option `privateTimes` contains the present minute.
    case time
    /// The vehicle may be in a private place.
    case place
    /// The private switch in the vehicle is on.
    case privateSwitch = "switch"
}

/// Decides whether the tracker may record positions now.
package struct PrivacyGate: Sendable, Hashable {
    private var schedule: Schedule?
    private(set) var places: [PrivatePlace]
    private var state: State
    /// Whether this run took times of `state` from an untrusted clock.
    private var isEstimated = false
    /// When a private time or a command next begins or ends; nil if it is unknown.
    private(set) var nextChange: Timestamp?
    /// Whether the clock was trusted at the last evaluation; nil before the first evaluation.
    private var wasTrusted: Bool?

    init(
        _ options: TrackingOptions, _ places: [PrivatePlace], zone: TimeZoneRules, restoring snapshot: Snapshot
    ) {
        schedule = options.privateTimes.map { Schedule(crontab: $0, zone: zone) }
        self.places = places
        state = snapshot.privacy
    }

    /// Why positions are private now; empty if they are not.
    var reasons: [PrivacyReason] {
        let isInForce: [(PrivacyReason, Bool)] = [
            (.command, state.command != nil), (.time, state.isPrivateTime), (.place, state.isPrivatePlace),
            (.privateSwitch, state.isSwitchOn == true),
        ]
        return isInForce.filter(\.1).map(\.0)
    }

    /// Whether the tracker may record no position now.
    var isPrivate: Bool {
        state.command != nil || state.isPrivateTime || state.isPrivatePlace || state.isSwitchOn == true
    }

    /// Whether a record of this run may have to be changed or left out.
    var mayHide: Bool { isPrivate || !places.isEmpty || state.ended != nil }

    /// Whether a private period has ended at some time.
    var hasEnded: Bool { state.ended != nil }

    /// Whether a time is in the present or the last private period.
    func covers(_ time: Timestamp) -> Bool {
        guard let since = state.since, time >= since else { return false }
        return state.ended.map { time < $0 } ?? true
    }

    /// When the last private period ended; nil before the first one, and while one lasts.
    var ended: Timestamp? { state.ended }

    /// Whether the vehicle may be in a private place, according to a position.
    func isPlacePrivate(_ position: Position) -> Bool { places.contains { $0.mayContain(position) } }

    /// Returns when the present private period ends; nil if that is unknown, for example because the vehicle is in a
    /// private place or the private switch is on.
    func end(at now: UTCTime) -> Timestamp? {
        var ends: [Timestamp?] = []
        if let command = state.command { ends.append(command.until) }
        if state.isPrivateTime { ends.append(now.isTrusted ? schedule?.nextChange(after: now.time)?.time : nil) }
        if state.isPrivatePlace || state.isSwitchOn == true { ends.append(nil) }
        let known = ends.compactMap(\.self)
        return known.count == ends.count ? known.max() : nil
    }

    // MARK: Changes

    /// Uses other options, another time zone or other places; call `look` afterwards.
    ///
    /// If the board no longer has a private switch, its last position no longer applies.
    mutating func follow(
        _ options: TrackingOptions, _ places: [PrivatePlace], zone: TimeZoneRules, hasSwitch: Bool
    ) {
        schedule = options.privateTimes.map { Schedule(crontab: $0, zone: zone) }
        self.places = places
        if !hasSwitch { state.isSwitchOn = nil }
    }

    /// Notes the position of the private switch.
    mutating func turn(switch isOn: Bool) { state.isSwitchOn = isOn }

    /// Evaluates the private places at the last known position.
    ///
    /// - `position`: nil if no position is known; the last verdict then remains, unless there are no private places.
    mutating func settle(at position: Position?) {
        guard let position else {
            if places.isEmpty { state.isPrivatePlace = false }
            return
        }
        let wasInside = state.isPrivatePlace
        state.isPrivatePlace = places.contains { $0.mayContain(position, wasInside: wasInside) }
    }

    /// Whether the private times or the command must be evaluated again.
    func isDue(at now: UTCTime) -> Bool {
        guard schedule != nil || state.command != nil else { return false }
        return now.isTrusted != wasTrusted || nextChange.map { now.time >= $0 } ?? false
    }

    /// Evaluates the private times and the end of the command.
    ///
    /// While the clock is not trusted, the last evaluation remains in force. A period by command may still end if the command
    /// and its evaluation use the same clock.
    mutating func look(at now: UTCTime) {
        if schedule == nil {
            state.isPrivateTime = false
        } else if now.isTrusted {
            state.isPrivateTime = schedule?.isOpen(at: now.time) ?? false
        }
        let canEnd = now.isTrusted || isEstimated
        if canEnd, let until = state.command?.until, now.time >= until { state.command = nil }
        let change = now.isTrusted ? schedule?.nextChange(after: now.time)?.time : nil
        nextChange = [change, canEnd ? state.command?.until : nil].compactMap(\.self).min()
        wasTrusted = now.isTrusted
    }

    /// Whether the present period by command ends later than a period of `span` that begins now.
    ///
    /// - `span`: the duration of the other period; nil for a period without an end.
    func outlasts(_ span: Duration?, at now: UTCTime) -> Bool {
        guard let command = state.command, let span else { return false }
        return command.until.map { $0 > now.time + span } ?? true
    }

    /// Begins a private period by command, or changes its end; call `look` afterwards.
    ///
    /// - `span`: how long the period lasts; nil for a period until `release`.
    mutating func hold(for span: Duration?, at now: UTCTime) {
        state.command = State.Command(until: span.map { now.time + $0 })
        if !now.isTrusted { isEstimated = true }
    }

    /// Ends a private period by command; call `look` afterwards.
    mutating func release() { state.command = nil }

    /// Notes when a private period has begun.
    mutating func begin(at time: Timestamp, isTrusted: Bool) {
        (state.since, state.ended) = (time, nil)
        if !isTrusted { isEstimated = true }
    }

    /// Notes when a private period has ended.
    mutating func end(at time: Timestamp, isTrusted: Bool) {
        state.ended = time
        if !isTrusted { isEstimated = true }
    }

    /// Corrects the times that this run took from an untrusted clock.
    mutating func correct(by span: Duration) {
        // The next call of `isDue` returns true, so that the evaluation uses the corrected time.
        wasTrusted = nil
        guard isEstimated else { return }
        isEstimated = false
        state.since = state.since.map { $0 + span }
        state.ended = state.ended.map { $0 + span }
        if let until = state.command?.until { state.command?.until = until + span }
    }

    // MARK: The state on disk

    /// The state that survives a restart.
    package struct State: Sendable, Hashable, Codable {
        struct Command: Sendable, Hashable, Codable {
            /// When the period ends; nil if only another command ends it.
            var until: Timestamp?
        }

        /// The period by command; nil if there is none.
        var command: Command?
        var isPrivateTime = false
        /// Whether the last fix showed the vehicle in a private place.
        var isPrivatePlace = false
        /// The last known position of the private switch, which may be from an earlier run; nil if it was never read.
        var isSwitchOn: Bool?
        /// When the present or the last private period began; nil before the first one.
        var since: Timestamp?
        /// When the last private period ended; nil while it lasts, and before the first one.
        var ended: Timestamp?

        /// Makes the state of a tracker that was never private.
        package init() {}

        /// Merges this state, which the store found only after the start, with `live`, the state since the start.
        func continued(by live: State) -> State {
            var merged = live
            merged.command = live.command ?? command
            merged.isPrivatePlace = live.isPrivatePlace || isPrivatePlace
            merged.isSwitchOn = live.isSwitchOn ?? isSwitchOn
            merged.since = live.since ?? since
            merged.ended = live.since == nil ? ended : live.ended
            return merged
        }
    }

    /// The state that survives a restart.
    package struct Snapshot: EngineSnapshot {
        /// The private period that lasts or lasted last.
        package var privacy = State()

        package enum CodingKeys: String, CodingKey { case privacy }

        mutating func read(_ fields: inout SnapshotReader<CodingKeys>) { fields.read(.privacy, into: &privacy) }
    }

    /// The state to keep over a restart.
    var snapshot: Snapshot { Snapshot(privacy: state) }

    /// Takes over the state of an earlier run that the store found only after the start.
    mutating func adopt(_ merged: State) { state = merged }
}
