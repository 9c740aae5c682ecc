package import Motion
package import Quantities

/// Detects harsh braking, acceleration and cornering, and impacts. The fixes show how speed and course change; once
/// its mounting is known, the accelerometer must confirm each change, and its peak is reported. So neither a receiver
/// error nor a slope alone causes an event. Only the accelerometer detects impacts.
package struct DrivingRule: Sendable {
    package enum Event: Sendable, Hashable {
        /// The verdict on a window of one second.
        case motion(MotionVerdict)
        case fix(AcceptedFix)
    }

    private static let windowLength = Duration.seconds(1)
    /// The time between two compared fixes: noise dominates a shorter one, and a longer one hides the change.
    private static let changeSpan = Duration.milliseconds(800)...Duration.seconds(3)
    /// Windows remain this long, because a change is evaluated only after the next fix.
    private static let windowsLast = changeSpan.upperBound * 2 + windowLength
    /// An impact stops the vehicle, so the highest speed in this time before it decides.
    private static let speedLasts = Duration.seconds(10)
    /// A slower fix that is not older than `standingLasts` proves that the vehicle stands.
    private static let standingSpeed = MetresPerSecond(0.5)
    private static let standingLasts = Duration.seconds(3)
    /// The least time between two events of the same kind.
    private static let pause = Duration.seconds(10)

    /// What is known of the mounting survives a restart.
    package private(set) var mounting: MountingEstimate

    private var fixes: [(fix: AcceptedFix, at: Instant)] = []
    private var readings: [SpeedReading] = []
    private var windows: [(span: ClosedRange<Instant>, mean: AccelerationSample)] = []
    private var impacts = ImpactDetector()
    private var spells: [HarshSpell?] = HarshLimit.all.map { _ in nil }
    private var told: [(kind: DrivingEvent.Kind, at: Instant)] = []
    private var learntUntil: Instant?

    package init(mounting: MountingEstimate = MountingEstimate()) { self.mounting = mounting }

    /// Returns the events that this input completes.
    package mutating func handle(_ event: Event, at now: Instant) -> [DrivingEvent] {
        switch event {
        case .motion(let verdict): verdict.forces.map { feel($0, isMoving: verdict.isMoving, at: now) } ?? []
        case .fix(let fix): see(fix, at: now)
        }
    }

    private mutating func feel(_ forces: WindowForces, isMoving: Bool, at now: Instant) -> [DrivingEvent] {
        windows.removeAll { now - $0.span.upperBound > Self.windowsLast }
        windows.append((span: now - Self.windowLength...now, mean: forces.mean))
        if !isMoving, stands(at: now) { mounting.learn(atRest: forces.mean) }
        let top = fixes.filter { now - $0.at <= Self.speedLasts }.compactMap(\.fix.position.speed).max()
        guard impacts.isImpact(forces.shock, speed: top) else { return [] }
        return tell(DrivingEvent(.impact, peak: forces.shock.peak, lasted: forces.shock.lasted), at: now)
    }

    private func stands(at now: Instant) -> Bool {
        guard let last = fixes.last, let speed = last.fix.position.speed else { return false }
        return speed <= Self.standingSpeed && now - last.at <= Self.standingLasts
    }

    private mutating func see(_ fix: AcceptedFix, at now: Instant) -> [DrivingEvent] {
        fixes.removeAll { now - $0.at > Self.speedLasts }
        fixes.append((fix, now))
        let change = change()
        if let change { learn(change) }
        return HarshLimit.all.indices.flatMap { judge($0, change, at: now) }
    }

    /// The change up to the second-to-last fix, because smoothing also needs the last one.
    private mutating func change() -> SpeedChange? {
        let three = fixes.suffix(3)
        guard three.count == 3, let first = three.first, let last = three.last else { return nil }
        let middle = three[three.startIndex + 1]
        guard let reading = SpeedReading((first.fix, middle.fix, last.fix), at: middle.at) else {
            readings = []
            return nil
        }
        readings.removeAll { reading.time - $0.time > Self.changeSpan.upperBound }
        let before = readings.last { reading.time - $0.time >= Self.changeSpan.lowerBound }
        readings.append(reading)
        return before.flatMap { SpeedChange(from: $0, to: reading) }
    }

    /// Learns only from changes that do not overlap: at ten fixes a second about every eighth.
    private mutating func learn(_ change: SpeedChange) {
        guard (learntUntil ?? .boot) <= change.span.lowerBound, let mean = mean(over: change.span) else { return }
        learntUntil = change.span.upperBound
        mounting.learn(mean, whileSpeedChangedBy: change.ahead)
    }

    private mutating func judge(_ index: Int, _ change: SpeedChange?, at now: Instant) -> [DrivingEvent] {
        let limit = HarshLimit.all[index]
        if let change, let strength = limit.strength(change, pushes(during: change.span)) {
            var spell = spells[index] ?? HarshSpell(strength, over: change.span)
            spell.extend(strength, over: change.span)
            spells[index] = spell
            return []
        }
        guard let spell = spells[index] else { return [] }
        spells[index] = nil
        return tell(spell.event(limit.kind), at: now)
    }

    private mutating func tell(_ event: DrivingEvent, at now: Instant) -> [DrivingEvent] {
        told.removeAll { now - $0.at > Self.pause }
        guard !told.contains(where: { $0.kind == event.kind }) else { return [] }
        told.append((event.kind, now))
        return [event]
    }

    private func pushes(during span: ClosedRange<Instant>) -> [MountingEstimate.Push] {
        windows.filter { $0.span.overlaps(span) }.compactMap { mounting.push($0.mean) }
    }

    /// The mean of the windows, weighted by overlap; nil if they cover less than half of `span`.
    private func mean(over span: ClosedRange<Instant>) -> AccelerationSample? {
        var sum = AccelerationSample.zero
        var weight = 0.0
        for window in windows where window.span.overlaps(span) {
            let common = window.span.clamped(to: span)
            let share = (common.upperBound - common.lowerBound).inSeconds
            sum = sum + window.mean * share
            weight += share
        }
        return weight * 2 >= (span.upperBound - span.lowerBound).inSeconds && weight > 0 ? sum * (1 / weight) : nil
    }
}
