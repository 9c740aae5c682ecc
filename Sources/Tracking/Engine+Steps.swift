import Quantities
import TrackingOptions

extension Engine {
    /// Turns what the parts want done into effects.
    mutating func carryOut(_ steps: [Step], at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for step in steps {
            switch step {
            case .perform(let effect): effects.append(effect)
            case .receiver(let isOn): effects += switched(power.want(isOn, by: .tracking, at: now), at: now)
            case .cutReceiver(let isCut):
                effects += power.cut(isCut, at: now)
                // Nobody wanted it any more when its supply came back: there is nothing to watch.
                if !isCut, !power.isOn { effects += carryOut(health.power(isOn: false, at: now), at: now) }
            case .parked(let fix): find(fix)
            case .keep(let fix): effects += keep(fix)
            case .record(.providerchange(let change)): effects += note(change, at: now)
            case .record(let content): effects.append(.record(record(content, at: now)))
            case .confirmTrip: effects += confirmTrip(at: now)
            case .depart(let departure): effects += depart(departure, at: now)
            case .arrive(let arrival): return effects + arrive(arrival, at: now)
            }
        }
        return effects
    }

    /// Tells of the receiver what was not told last; one that is lost has no fix, which is no news.
    private mutating func note(_ change: ProviderChange, at now: Instant) -> [Effect] {
        let isLost = provider == .silent || provider == .frozen
        guard change.state != provider, !(isLost && change.state == .noFix) else { return [] }
        provider = change.state
        return [.record(record(.providerchange(change), at: now))]
    }

    /// Tells that the receiver cannot be switched, or what it last was when it can again.
    mutating func note(receiverLines canBeSet: Bool, at now: Instant) -> [Effect] {
        guard canBeSet != canSwitchReceiver else { return [] }
        canSwitchReceiver = canBeSet
        let text = canBeSet ? "can be switched again" : "cannot be switched: a line cannot be set"
        let change = ProviderChange(canBeSet ? provider : .unswitchable)
        return [.decided(Decision(.receiver, text)), .record(record(.providerchange(change), at: now))]
    }

    /// Tells the watch over the receiver that it was switched.
    mutating func switched(_ effects: [Effect], at now: Instant) -> [Effect] {
        guard !effects.isEmpty else { return [] }
        return effects + carryOut(health.power(isOn: power.isOn, at: now), at: now)
    }

    /// The vehicle stands here, or somewhere that is not known.
    mutating func park(at position: Position?, since time: Timestamp, isTrusted: Bool) {
        var position = position
        position?.speed = nil
        position?.course = nil
        state.parked = position
        state.parkedSince = time
        isStayGuessed = !isTrusted
        if let position { state.odometer.park(at: position.coordinate) }
    }

    /// A fix shows where the vehicle has been parked; the stay began when it came to rest, if that is known.
    private mutating func find(_ fix: AcceptedFix) {
        let isGuessed = isStayGuessed
        park(at: fix.position, since: state.parkedSince ?? fix.time, isTrusted: !isGuessed)
    }

    /// Keeps a fix as a point of the track, if anything is recorded unasked.
    mutating func keep(_ fix: AcceptedFix) -> [Effect] {
        guard options.monitoring.recordsUnasked else { return [] }
        state.lastRecorded = .init(fix)
        for index in state.followed.indices { state.followed[index].recentre(at: fix.position) }
        state.trips.addRecord()
        return [.record(record(.location, at: fix.position, time: fix.time, isTrusted: true))]
    }

    /// Where the vehicle is, as far as that is known.
    var whereabouts: Position? { state.isMoving ? state.lastFix?.position ?? state.parked : state.parked }

    /// A record of what happens now, where the vehicle is.
    func record(_ content: Record.Content, at now: Instant) -> Record {
        let (time, isTrusted) = clock.time(at: now)
        return record(content, at: whereabouts, time: time, isTrusted: isTrusted)
    }

    /// A record with what every record carries.
    func record(_ content: Record.Content, at place: Position?, time: Timestamp, isTrusted: Bool) -> Record {
        var record = Record(
            content, time: time, isTimeTrusted: isTrusted, position: place, isMoving: state.isMoving,
            odometer: state.odometer.distance, trip: content.tripNumber ?? state.trips.number)
        record.tag = tag
        record.vehicle = state.names.vehicle
        record.driver = state.names.driver
        let inside = regions.inside.filter { $0.text != nil }
        record.regions = inside.isEmpty ? nil : inside.map(\.name)
        return marked(record)
    }

    /// The record, marked if the options keep it on the device.
    func marked(_ record: Record) -> Record {
        var record = record
        let isWithheld = options.sync.withholds(record) || options.monitoring.withholds(record)
        record.isWithheld = isWithheld ? true : nil
        return record
    }
}

extension Record.Content {
    /// The trip that it is about, which may be over.
    fileprivate var tripNumber: Int? {
        if case .trip(let report) = self { report.number } else { nil }
    }
}
