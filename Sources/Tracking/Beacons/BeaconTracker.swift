package import Quantities

/// The first sighting with a sufficient signal strength is an entry. An exit follows after the exit delay, and after at
/// least three scan intervals, without such a sighting. Only time with a running scan counts.
package struct BeaconTracker: Sendable, Hashable {
    package struct Region: Sendable, Hashable {
        package let id: String
        package let beacon: BeaconIdentity
        /// The limit in dBm: weaker sightings do not count. If it is nil, all count.
        package var rssiLimit: Int8?

        func counts(_ sighting: BeaconSighting) -> Bool {
            beacon.matches(sighting) && sighting.rssi >= (rssiLimit ?? .min)
        }
    }

    package enum Event: Sendable, Hashable {
        case sighting(BeaconSighting)
        /// No scan runs before the first of these events.
        case scan(ScanDuty)
        /// A late or cancelled timer is harmless.
        case timer
    }

    package enum Effect: Sendable, Hashable {
        case entered(String)
        /// `inside` is the time from the first to the last sighting; nil if the entry was before a restart.
        case left(String, inside: Duration?)
        /// Replaces an earlier timer.
        case arm(at: Instant)
        case cancel
    }

    /// One window can miss an advertisement, so an exit needs several windows without any.
    private static let fewestWindows = 3

    private var regions: [Region]
    private var exitDelay: Duration
    private var clock = ScanClock()
    private var presences: [Presence]
    private var armed: Instant?

    /// `inside` are the regions that the vehicle was in when the program ended; an exit from them needs a scan of the whole
    /// delay without a sighting.
    package init(_ regions: [Region], exitDelay: Duration, inside: [String] = []) {
        self.regions = regions
        self.exitDelay = exitDelay
        presences = inside.filter { id in regions.contains { $0.id == id } }.map { Presence(id: $0, firstHeard: nil) }
    }

    package var inside: [String] { presences.map(\.id) }

    /// Nil if the vehicle is not near the beacon.
    package func signal(of id: String) -> BeaconSignal? { presences.first { $0.id == id }?.signal }

    /// Watches these regions; discards all others without an exit.
    package mutating func watch(_ regions: [Region]) {
        self.regions = regions
        presences.removeAll { presence in !regions.contains { $0.id == presence.id } }
    }

    /// The new delay applies at once, also to beacons that are already silent.
    package mutating func follow(exitDelay: Duration, at now: Instant) -> [Effect] {
        self.exitDelay = exitDelay
        return rearm(at: now)
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .sighting(let sighting):
            let entered = regions.filter { $0.counts(sighting) }.compactMap { hear(sighting, in: $0, at: now) }
            return entered + (armed == nil ? rearm(at: now) : [])
        case .scan(let duty):
            clock.set(duty, at: now)
            return rearm(at: now)
        case .timer:
            armed = nil
            return leaveSilent(at: now) + rearm(at: now)
        }
    }

    private mutating func hear(_ sighting: BeaconSighting, in region: Region, at now: Instant) -> Effect? {
        let known = presences.firstIndex { $0.id == region.id }
        let index = known ?? presences.endIndex
        if known == nil { presences.append(Presence(id: region.id, firstHeard: now)) }
        presences[index].hear(sighting, clock: clock.time(at: now), at: now)
        return known == nil ? .entered(region.id) : nil
    }

    private mutating func leaveSilent(at now: Instant) -> [Effect] {
        guard let patience else { return [] }
        let time = clock.time(at: now)
        let silent = presences.filter { time - $0.heardUntil >= patience }
        presences.removeAll { time - $0.heardUntil >= patience }
        return silent.map { .left($0.id, inside: $0.inside) }
    }

    /// The timer is for the beacon that has been silent the longest. A sighting does not move the timer, because it
    /// costs less to let it expire without effect.
    private mutating func rearm(at now: Instant) -> [Effect] {
        let wasArmed = armed
        armed = patience.flatMap { patience in
            presences.map(\.heardUntil).min().map { now + max(.zero, $0 + patience - clock.time(at: now)) }
        }
        guard armed != wasArmed else { return [] }
        return armed.map { [.arm(at: $0)] } ?? [.cancel]
    }

    /// Nil if no scan runs.
    private var patience: Duration? { clock.duty.interval.map { max(exitDelay, $0 * Self.fewestWindows) } }
}

private struct Presence: Sendable, Hashable {
    let id: String
    /// Nil if the vehicle was near the beacon before the program started.
    private var heard: ClosedRange<Instant>?
    /// The last sighting, as a time of the scan clock, which runs only while a scan does.
    private(set) var heardUntil = Duration.zero
    private(set) var signal = BeaconSignal()

    init(id: String, firstHeard: Instant?) {
        self.id = id
        heard = firstHeard.map { $0...$0 }
    }

    var inside: Duration? { heard.map { $0.upperBound - $0.lowerBound } }

    mutating func hear(_ sighting: BeaconSighting, clock: Duration, at now: Instant) {
        heard = heard.map { $0.lowerBound...max($0.upperBound, now) }
        heardUntil = clock
        signal.add(sighting, at: now)
    }
}

private struct ScanClock: Sendable, Hashable {
    private(set) var duty = ScanDuty.off
    private var counted = Duration.zero
    private var changed = Instant.boot

    mutating func set(_ duty: ScanDuty, at now: Instant) {
        counted = time(at: now)
        changed = now
        self.duty = duty
    }

    func time(at now: Instant) -> Duration {
        switch duty {
        case .off: counted
        case .low, .full: counted + (now - changed)
        }
    }
}
