import Quantities

/// Each record passes this filter on its way out of the engine, so that components need no rules of their own for
/// private periods, except for trips.
struct PrivacyFilter: Sendable {
    let gate: PrivacyGate
    /// The position of the last fix, if it was measured in a private period that is over.
    let hidden: Coordinate?

    func admit(_ record: Record) -> Record? {
        if gate.isPrivate { return Self.anonymous(record) }
        var public_ = record
        if let position = record.position, gate.isPlacePrivate(position) || position.coordinate == hidden {
            guard !record.kind.traits.contains(.place) else { return nil }
            public_.position = nil
        }
        guard let ended = gate.ended else { return withoutPrivateEnds(public_) }
        if gate.covers(record.time), record.kind.traits.contains(.place) {
            // A stop or start that was in the period, but was detected only after it, gets the time of the period's end.
            guard record.kind != .location else { return nil }
            public_.time = ended
        }
        if case .visit(var visit) = record.content, gate.covers(visit.arrived) {
            visit.arrived = ended
            public_.content = .visit(visit)
        }
        return withoutPrivateEnds(public_)
    }

    private func withoutPrivateEnds(_ record: Record) -> Record {
        guard case .trip(var report) = record.content, var summary = report.summary else { return record }
        let isPrivate = { (place: Coordinate) in gate.places.contains { $0.contains(place) } }
        if summary.start.map(isPrivate) ?? false { summary.start = nil }
        if summary.end.map(isPrivate) ?? false { summary.end = nil }
        report.summary = summary
        var record = record
        record.content = .trip(report)
        return record
    }

    /// Removes what shows where, when or by whom the vehicle was driven; nil if the whole record shows this.
    private static func anonymous(_ record: Record) -> Record? {
        guard !record.kind.traits.contains(.hiddenWhenPrivate) else { return nil }
        if case .power(let change, _) = record.content, change == .ignitionOn || change == .ignitionOff { return nil }
        if case .driving(let event) = record.content, event.kind != .impact, event.kind != .tow { return nil }
        var anonymous = record
        if case .request(var answer) = record.content {
            answer.failure = RequestAnswer.isPrivate
            anonymous.content = .request(answer)
        }
        anonymous.position = nil
        anonymous.isMoving = false
        (anonymous.trip, anonymous.driver, anonymous.regions, anonymous.trigger) = (nil, nil, nil, nil)
        // The alternator raises the voltage, so the voltage may show that the engine runs.
        (anonymous.ignition, anonymous.supply) = (nil, record.kind == .power ? record.supply : nil)
        return anonymous
    }
}

extension RequestAnswer {
    /// Why a request for a position or a trip is not carried out in a private period.
    package static let isPrivate = "the position is private now"
}
