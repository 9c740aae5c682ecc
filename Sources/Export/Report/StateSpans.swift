import Quantities
import Tracking

struct StateSpans: Sendable {
    enum State: Sendable, Hashable { case parked, moving, hidden, off }

    struct Span: Sendable, Hashable {
        let state: State
        let from: Timestamp
        let to: Timestamp

        var length: Duration { to - from }
    }

    /// A start of trackerd this soon after a departure does not cancel the departure: the first record may still show
    /// `parked`.
    private static let earlyDeparture: Duration = .seconds(60)

    private(set) var spans: [Span] = []
    private let recorded: ClosedRange<Timestamp>
    private var current: (state: State, since: Timestamp)?
    private var isPrivate = false
    private var departures = HiddenDepartures()

    init(_ recorded: ClosedRange<Timestamp>) { self.recorded = recorded }

    var isParked: Bool { current?.state == .parked }

    func total(_ state: State) -> Duration {
        spans.filter { $0.state == state }.reduce(.zero) { $0 + $1.length }
    }

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

    mutating func finish() {
        close(at: recorded.upperBound)
        current = nil
    }

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
}

/// Finds unrecorded departures: after a departure in a private place or time, only the later drive is recorded.
struct HiddenDepartures: Sendable, Hashable {
    /// Nil after a departure, and before the first arrival.
    private var arrival: Arrival?

    private struct Arrival: Sendable, Hashable { let trip: Int? }

    /// Points recorded before the stop was confirmed belong to the arrival's trip, and show no departure.
    mutating func contains(_ record: Record) -> Bool {
        if record.kind == .motionchange { arrival = record.isMoving ? nil : Arrival(trip: record.trip) }
        if case .trip(let report) = record.content, report.summary != nil { return false }
        guard [.location, .trip].contains(record.kind), record.isMoving else { return false }
        return arrival.map { $0.trip != record.trip } ?? true
    }
}
