import Calendar
import Quantities
import TrackingOptions

package enum PrivacyReason: String, Sendable, Hashable, CaseIterable {
    /// A user or a server has begun the period.
    case command
    /// The option `privateTimes` makes this time private.
    case time
    /// The vehicle may be in a private place.
    case place
    case privateSwitch = "switch"
}

package struct PrivacyGate: Sendable, Hashable {
    private var schedule: Schedule? { didSet { hasSchedule = schedule != nil } }
    /// Each event needs this, and reading `schedule` would copy it.
    private var hasSchedule: Bool
    private(set) var places: [PrivatePlace]
    private var state: State
    /// True if `state` has times that this run took from an untrusted clock.
    private var isEstimated = false
    /// Nil if no change is known.
    private(set) var nextChange: Timestamp?
    /// Nil before the first evaluation, and after a correction.
    private var wasTrusted: Bool?

    init(_ options: TrackingOptions, _ places: [PrivatePlace], zone: TimeZoneRules, restoring snapshot: Snapshot) {
        schedule = options.privateTimes.map { Schedule(crontab: $0, zone: zone) }
        hasSchedule = schedule != nil
        self.places = places
        state = snapshot.privacy
    }

    var reasons: [PrivacyReason] {
        let isInForce: [(PrivacyReason, Bool)] = [
            (.command, state.command != nil), (.time, state.isPrivateTime), (.place, state.isPrivatePlace),
            (.privateSwitch, state.isSwitchOn == true),
        ]
        return isInForce.filter(\.1).map(\.0)
    }

    /// True if a tow has ended the periods that `reasons` lists.
    var isTowed: Bool {
        get { state.isTowed ?? false }
        set { state.isTowed = newValue ? true : nil }
    }

    var isPrivate: Bool {
        guard !isTowed else { return false }
        return state.command != nil || state.isPrivateTime || state.isPrivatePlace || state.isSwitchOn == true
    }

    /// True if a record of this run may have to be changed or left out.
    var mayHide: Bool { isPrivate || !places.isEmpty || state.ended != nil }

    var hasBegun: Bool { state.since != nil }

    /// True for a time in the present or the last private period.
    func covers(_ time: Timestamp) -> Bool {
        guard let since = state.since, time >= since else { return false }
        return state.ended.map { time < $0 } ?? true
    }

    var ended: Timestamp? { state.ended }

    func isPlacePrivate(_ position: Position) -> Bool { places.contains { $0.mayContain(position) } }

    /// Nil if the end is unknown, as in a private place or with the switch on.
    func end(at now: UTCTime) -> Timestamp? {
        var ends: [Timestamp?] = []
        if let command = state.command { ends.append(command.until) }
        if state.isPrivateTime { ends.append(now.isTrusted ? schedule?.nextChange(after: now.time) : nil) }
        if state.isPrivatePlace || state.isSwitchOn == true { ends.append(nil) }
        let known = ends.compactMap(\.self)
        return known.count == ends.count ? known.max() : nil
    }

    /// Call `look` afterwards. Without a switch, its last position no longer applies.
    mutating func follow(_ options: TrackingOptions, _ places: [PrivatePlace], zone: TimeZoneRules, hasSwitch: Bool) {
        schedule = options.privateTimes.map { Schedule(crontab: $0, zone: zone) }
        self.places = places
        if !hasSwitch { state.isSwitchOn = nil }
    }

    mutating func turn(switch isOn: Bool) { state.isSwitchOn = isOn }

    /// Without a position, the last result remains; but if there are no private places, it becomes false.
    mutating func settle(at position: Position?) {
        guard let position else {
            if places.isEmpty { state.isPrivatePlace = false }
            return
        }
        let wasInside = state.isPrivatePlace
        state.isPrivatePlace = places.contains { $0.mayContain(position, wasInside: wasInside) }
    }

    func isDue(at now: UTCTime) -> Bool {
        guard hasSchedule || state.command != nil else { return false }
        return now.isTrusted != wasTrusted || nextChange.map { now.time >= $0 } ?? false
    }

    /// An untrusted clock changes nothing, except that it may end a period by command that it dated.
    mutating func look(at now: UTCTime) {
        if schedule == nil {
            state.isPrivateTime = false
        } else if now.isTrusted {
            state.isPrivateTime = schedule?.isOpen(at: now.time) ?? false
        }
        let canEnd = now.isTrusted || isEstimated
        if canEnd, let until = state.command?.until, now.time >= until { state.command = nil }
        let change = now.isTrusted ? schedule?.nextChange(after: now.time) : nil
        nextChange = [change, canEnd ? state.command?.until : nil].compactMap(\.self).min()
        wasTrusted = now.isTrusted
    }

    /// True if the present period by command ends later than `span` from now; a nil `span` has no end.
    func outlasts(_ span: Duration?, at now: UTCTime) -> Bool {
        guard let command = state.command, let span else { return false }
        return command.until.map { $0 > now.time + span } ?? true
    }

    /// A nil `span` lasts until `release`. Call `look` after `hold` and after `release`.
    mutating func hold(for span: Duration?, at now: UTCTime) {
        state.command = State.Command(until: span.map { now.time + $0 })
        if !now.isTrusted { isEstimated = true }
    }

    mutating func release() { state.command = nil }

    mutating func begin(at time: Timestamp, isTrusted: Bool) {
        (state.since, state.ended) = (time, nil)
        if !isTrusted { isEstimated = true }
    }

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

    package struct State: Sendable, Hashable, Codable {
        struct Command: Sendable, Hashable, Codable {
            /// Nil if only another command ends the period.
            var until: Timestamp?
        }

        var command: Command?
        var isPrivateTime = false
        /// True if the last fix may have been in a private place.
        var isPrivatePlace = false
        /// The position of the switch, perhaps in an earlier run; nil if it was never read.
        var isSwitchOn: Bool?
        /// Nil means false.
        var isTowed: Bool?
        /// The start of the present or the last period.
        var since: Timestamp?
        /// The end of the last period; nil before the first one, and while one lasts.
        var ended: Timestamp?

        package init() {}

        func continued(by live: State) -> State {
            var merged = live
            merged.command = live.command ?? command
            merged.isPrivatePlace = live.isPrivatePlace || isPrivatePlace
            merged.isSwitchOn = live.isSwitchOn ?? isSwitchOn
            merged.isTowed = live.isTowed ?? isTowed
            merged.since = live.since ?? since
            merged.ended = live.since == nil ? ended : live.ended
            return merged
        }
    }

    package struct Snapshot: EngineSnapshot {
        package var privacy = State()

        package enum CodingKeys: String, CodingKey { case privacy }

        mutating func read(_ fields: inout SnapshotReader<CodingKeys>) { fields.read(.privacy, into: &privacy) }
    }

    var snapshot: Snapshot { Snapshot(privacy: state) }

    mutating func adopt(_ merged: State) { state = merged }
}
