package import Quantities

/// Detects when the vehicle comes near a beacon, and when it leaves.
///
/// The first sighting with a sufficient signal strength is an entry. An exit follows after the exit delay, and after at
/// least three scan intervals, without such a sighting. The tracker counts only time with a running scan, because it
/// receives no sightings without a scan.
package struct BeaconTracker: Sendable, Hashable {
    package struct Region: Sendable, Hashable {
        package let id: String
        package let beacon: BeaconIdentity
        /// The weakest signal that the tracker accepts as a sighting, in dBm; nil to accept all.
        package let rssiLimit: Int8?

        package init(id: String, beacon: BeaconIdentity, rssiLimit: Int8? = nil) {
            self.id = id
            self.beacon = beacon
            self.rssiLimit = rssiLimit
        }

        func counts(_ sighting: BeaconSighting) -> Bool {
            beacon.matches(sighting) && sighting.rssi >= (rssiLimit ?? .min)
        }
    }

    package enum Event: Sendable, Hashable {
        /// The scanner received a beacon advertisement.
        case sighting(BeaconSighting)
        /// The scan started or stopped; no scan runs before the first of these events.
        case scan(ScanDuty)
        /// The timer expired; a late or cancelled timer is harmless.
        case timer
    }

    package enum Effect: Sendable, Hashable {
        /// The vehicle came near the beacon of this region.
        case entered(String)
        /// The vehicle left this region; `inside` is the time from the first to the last sighting, nil after a restart.
        case left(String, inside: Duration?)
        /// Send `.timer` at this moment; replaces an earlier timer.
        case arm(at: Instant)
        case cancel
    }

    /// The number of low-duty windows without a sighting before an exit: a single window can miss an advertisement.
    private static let fewestWindows = 3

    private var regions: [Region]
    private var exitDelay: Duration
    private var clock = ScanClock()
    private var presences: [Presence]
    private var armed: Instant?

    /// Watches `regions`; `inside` are the keys of the regions that the vehicle was in when the program ended.
    ///
    /// If the vehicle left a region while the program was not running, a scan must first run for the whole delay without a
    /// sighting. Then the tracker detects the exit.
    package init(_ regions: [Region], exitDelay: Duration, inside: [String] = []) {
        self.regions = regions
        self.exitDelay = exitDelay
        presences = inside.filter { id in regions.contains { $0.id == id } }.map { Presence(id: $0, firstHeard: nil) }
    }

    /// The keys of the regions that the vehicle is in, in the order of entry; they survive a restart.
    package var inside: [String] { presences.map(\.id) }

    /// Returns the signal of a region's beacon; nil if the vehicle is not near the beacon.
    package func signal(of id: String) -> BeaconSignal? { presences.first { $0.id == id }?.signal }

    /// Watches only these regions; discards all others without an exit.
    package mutating func watch(_ regions: [Region]) {
        self.regions = regions
        presences.removeAll { presence in !regions.contains { $0.id == presence.id } }
    }

    /// Applies another exit delay at once, also to beacons that are already silent; returns the effects to carry out.
    package mutating func follow(exitDelay: Duration, at now: Instant) -> [Effect] {
        self.exitDelay = exitDelay
        return rearm(at: now)
    }

    /// Handles an event; returns the effects to carry out.
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

    /// Arms the timer for the beacon that has been silent longest.
    ///
    /// A sighting does not move the timer, because a timer that expires without effect costs less than setting a timer ten
    /// times per second.
    private mutating func rearm(at now: Instant) -> [Effect] {
        let wasArmed = armed
        armed = patience.flatMap { patience in
            presences.map(\.heardUntil).min().map { now + max(.zero, $0 + patience - clock.time(at: now)) }
        }
        guard armed != wasArmed else { return [] }
        return armed.map { [.arm(at: $0)] } ?? [.cancel]
    }

    /// How long a beacon may be silent; nil if no scan runs.
    private var patience: Duration? { clock.duty.interval.map { max(exitDelay, $0 * Self.fewestWindows) } }
}

/// The presence of the vehicle near a beacon.
private struct Presence: Sendable, Hashable {
    let id: String
    /// First and last sighting; nil if the vehicle was already near the beacon before the program started.
    private var heard: ClosedRange<Instant>?
    /// Value of the scan clock at the last sighting.
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

/// Counts the time during which a scan runs.
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
