// The names of the events of each kind of record; filters, placeholders and documents use these names.

extension Record {
    package enum MotionEvent: String, Sendable, Hashable, CaseIterable {
        case departed
        /// The vehicle arrived, or a fix corrected the parked place.
        case arrived
        /// A fix showed the moving vehicle farther from its parked place than it can have driven unseen.
        case moved
    }

    package enum SpanEvent: String, Sendable, Hashable, CaseIterable {
        case started, ended
    }

    /// What happened, such as `enter`, `departed` or `ignitionOn`: one of `kind.events`, or nil if the kind has none.
    package var event: String? {
        switch content {
        case .motionchange: motionEvent.rawValue
        case .trip(let report): (report.summary == nil ? SpanEvent.started : .ended).rawValue
        case .visit(let visit): (visit.departed == nil ? SpanEvent.started : .ended).rawValue
        case .transition(let transition): transition.direction.rawValue
        case .driving(let event): event.kind.rawValue
        case .power(let change, _): change.rawValue
        case .providerchange(let change): change.state.rawValue
        case .health(let report): report.change.rawValue
        case .location, .waypoint, .request, .ping, .optionschange, .order: nil
        }
    }

    private var motionEvent: MotionEvent {
        guard isMoving else { return .arrived }
        return trigger == .movedUnseen ? .moved : .departed
    }
}

extension Record.Kind {
    /// Empty for a kind whose records have no events.
    package var events: [String] {
        switch self {
        case .motionchange: Record.MotionEvent.allCases.map(\.rawValue)
        case .trip, .visit: Record.SpanEvent.allCases.map(\.rawValue)
        case .transition: Transition.Direction.allCases.map(\.rawValue)
        case .driving: DrivingEvent.Kind.allCases.map(\.rawValue)
        case .power: PowerChange.allCases.map(\.rawValue)
        case .providerchange: ProviderChange.State.allCases.map(\.rawValue)
        case .health: HealthChange.allCases.map(\.rawValue)
        case .location, .waypoint, .request, .ping, .optionschange, .order: []
        }
    }
}
