import Quantities
import Tracking

/// The spans of time in which the vehicle was parked, in which it was moving, in which its position was private, or in which
/// the program did not run.
struct StateSpans: Sendable, Hashable {
    enum State: Sendable, Hashable { case parked, moving, hidden, off }

    /// A span with one state.
    struct Span: Sendable, Hashable {
        let state: State
        let from: Timestamp
        let to: Timestamp

        var length: Duration { to - from }
    }

    /// The time after a departure within which a start of the program does not cancel the departure.
    ///
    /// The first record of the program may still describe the vehicle as parked.
    private static let earlyDeparture: Duration = .seconds(60)

    private(set) var spans: [Span] = []
    private let recorded: ClosedRange<Timestamp>
    private var current: (state: State, since: Timestamp)?
    /// Whether a private period has begun and has not ended.
    private var isPrivate = false
    private var departures = HiddenDepartures()

    init(_ recorded: ClosedRange<Timestamp>) { self.recorded = recorded }

    /// Whether the vehicle was parked after the last added record.
    var isParked: Bool { current?.state == .parked }

    /// Returns the time that the vehicle spent in a state.
    func total(_ state: State) -> Duration {
        spans.filter { $0.state == state }.reduce(.zero) { $0 + $1.length }
    }

    /// Adds the next record.
    mutating func add(_ record: Record) {
        // Records of a private period describe the vehicle as parked.
        let after: State = isPrivate ? .hidden : record.isMoving ? .moving : .parked
        let hasDeparted = departures.contains(record)
        switch record.content {
        case .motionchange: begin(after, at: record.time, before: record.isMoving ? .parked : .moving)
        case .power(.shutdown, _): begin(.off, at: record.time, before: after)
        case .power(.started, _):
            // The accelerometer may have detected a departure some seconds before the program's first record.
            let departed = current.flatMap { $0.state == .moving ? $0.since : nil }
            if after == .parked, let departed, record.time - departed < Self.earlyDeparture { return }
            begin(after, at: record.time, before: .off)
        case .health(let report) where report.change == .privacyBegan:
            isPrivate = true
            begin(.hidden, at: record.time, before: .parked)
        case .health(let report) where report.change == .privacyEnded:
            isPrivate = false
            if current?.state ?? .parked == .parked { current = (.hidden, current?.since ?? recorded.lowerBound) }
        case .location, .visit, .transition, .waypoint, .trip, .request, .ping, .providerchange, .power, .health,
            .optionschange, .driving, .order:
            continueState(record, after, hasDeparted)
        }
    }

    /// Ends the last span.
    mutating func finish() {
        close(at: recorded.upperBound)
        current = nil
    }

    /// Adds a record that usually does not change the state.
    private mutating func continueState(_ record: Record, _ after: State, _ hasDeparted: Bool) {
        switch current?.state {
        case nil: current = (after, recorded.lowerBound)
        case .parked where hasDeparted: begin(.moving, at: record.time, before: .parked)
        // The first record after a private period shows the state.
        case .hidden where !isPrivate: begin(after, at: record.time, before: .hidden)
        case .parked, .hidden, .moving, .off: break
        }
    }

    private mutating func begin(_ state: State, at time: Timestamp, before: State) {
        let time = min(recorded.upperBound, max(recorded.lowerBound, time))
        if current == nil { current = (before, recorded.lowerBound) }
        guard current?.state != state else { return }
        close(at: time)
        current = (state, time)
    }

    private mutating func close(at time: Timestamp) {
        guard let current, time > current.since else { return }
        spans.append(Span(state: current.state, from: current.since, to: time))
    }

    static func == (left: StateSpans, right: StateSpans) -> Bool { left.spans == right.spans }

    func hash(into hasher: inout Hasher) { hasher.combine(spans) }
}

/// Detects departures without a record of the departure: a vehicle that departs in a private place or in a private time leaves
/// only the records of its drive after the private period.
struct HiddenDepartures: Sendable, Hashable {
    /// The trip of the last arrival; nil after a departure, and before the first arrival.
    private var arrival: Arrival?

    private struct Arrival: Sendable, Hashable { let trip: Int? }

    /// Returns whether a parked vehicle must have departed before this record.
    ///
    /// Until trackerd confirms a stop, it records points that are later than the arrival. These points belong to the same trip
    /// as the arrival.
    mutating func contains(_ record: Record) -> Bool {
        switch record.content {
        case .motionchange:
            arrival = record.isMoving ? nil : Arrival(trip: record.trip)
            return false
        case .trip(let report) where report.summary != nil: return false
        case .location, .trip:
            guard record.isMoving else { return false }
            return arrival.map { $0.trip != record.trip } ?? true
        case .visit, .transition, .waypoint, .request, .ping, .providerchange, .power, .health, .optionschange,
            .driving, .order:
            return false
        }
    }
}
