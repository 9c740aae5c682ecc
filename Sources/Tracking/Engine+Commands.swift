import Quantities
import TrackingOptions

extension Engine {
    /// Carries out an order, or says why not.
    mutating func obey(_ command: Command, at now: Instant) -> [Effect] {
        switch command {
        case .move: return forward(.move, at: now)
        case .stay: return forward(.stay, at: now)
        case .locate(let request): return locate(request, at: now)
        case .startTrip(let report): return startTrip(report, at: now)
        case .endTrip: return endTrip(at: now)
        case .tag(let tag):
            state.tag = tag
            return []
        case .odometer(let distance):
            state.trips.odometerWasSet(from: state.odometer.distance, to: distance)
            state.odometer.set(to: distance)
            isOdometerSet = true
            return []
        case .tracking(let isOn): return track(isOn, at: now)
        case .mode(let mode): return switchMode(mode, at: now)
        case .waypoint(let waypoint): return set(waypoint, at: now)
        case .forgetWaypoint(let key): return forgetWaypoint(key, at: now)
        case .clearWaypoints: return clearWaypoints(at: now)
        }
    }

    private mutating func locate(_ request: LocationRequest, at now: Instant) -> [Effect] {
        guard options.monitoring.recordsUnasked || !request.isRemote else {
            return [
                .decided(Decision(.request, "not answered: remote requests are ignored in \(options.monitoring.name)"))
            ]
        }
        // A search follows the options that hold when it begins: the timer and the patience must be of one mind.
        if !requests.isWaiting { requests = Requests(options) }
        guard requests.ask(request, at: now) else { return [] }
        let isPowered = options.desiredAccuracy.powersReceiver
        return switched(power.want(isPowered, by: .request, at: now), at: now)
            + [.arm(.request, at: now + options.fixTimeout)]
    }

    /// Records the answers to requests, and lets the receiver go when nobody waits any more.
    ///
    /// Whoever still waits has a time of its own, which the timer counts next.
    mutating func answer(_ answers: [Requests.Answer], at now: Instant) -> [Effect] {
        guard !answers.isEmpty else { return [] }
        let records = answers.map { answer in
            let (time, isTrusted) = answer.fix.map { ($0.time, true) } ?? clock.time(at: now)
            return Effect.record(
                record(.request(answer.answer), at: answer.fix?.position, time: time, isTrusted: isTrusted))
        }
        if let deadline = requests.deadline { return records + [.arm(.request, at: deadline)] }
        return records + [.cancel(.request)] + switched(power.want(false, by: .request, at: now), at: now)
    }
}
