import Foundation
import Motion
import Quantities
import Tracking

/// A simulated vehicle that drives, waits, crawls, is towed and is parked for random times, with the reports of its sensors.
struct EventfulVehicle {
    enum Phase: CaseIterable {
        case parked, driving, waiting, crawling, shaken, towed, carried, tunnel
    }

    private(set) var phase = Phase.parked
    private var (east, north, speed, course) = (0.0, 0.0, 0.0, 90.0)
    private var phaseEnd = Instant.boot
    private var activeSince: Instant?
    private var lastActive: Instant?
    private var acceleration = 0.0
    /// Whether the sensors report round values.
    ///
    /// Round values can be exactly equal to the limits of the rules.
    private let isRound: Bool

    init(isRound: Bool) { self.isRound = isRound }

    var isRunning: Bool { [.driving, .waiting, .crawling, .tunnel].contains(phase) }

    /// Moves the vehicle for a span of time, and begins the next phase when the present phase is over.
    mutating func move(by span: Duration, to now: Instant, _ random: inout SplitMix) {
        let before = speed
        if now >= phaseEnd { begin(random.pick(Self.followers[phase] ?? [.parked]), at: now, &random) }
        if phase == .driving || phase == .tunnel {
            if random.once(in: 9) {
                course = (course + random.pick([-90, -40, -10, 10, 40, 90]) + 360).truncatingRemainder(dividingBy: 360)
            }
            if random.once(in: 7) { speed = random.uniform(5...33) }
        }
        acceleration = (speed - before) / max(1, span.inSeconds)
        let radians = course * .pi / 180
        east += speed * span.inSeconds * sin(radians)
        north += speed * span.inSeconds * cos(radians)
        // The vehicle turns back at the edge of its area.
        if east.magnitude > 15_000 || north.magnitude > 15_000 {
            course = (course + 180).truncatingRemainder(dividingBy: 360)
        }
    }

    private static let followers: [Phase: [Phase]] = [
        .parked: [.driving, .driving, .driving, .shaken, .towed, .carried, .crawling],
        .driving: [.waiting, .waiting, .crawling, .tunnel, .parked, .parked],
        .waiting: [.driving, .driving, .crawling, .parked], .crawling: [.driving, .waiting, .parked],
        .shaken: [.parked, .driving], .towed: [.parked], .carried: [.parked, .driving], .tunnel: [.driving, .parked],
    ]

    private mutating func begin(_ next: Phase, at now: Instant, _ random: inout SplitMix) {
        phase = next
        let (speeds, seconds): (ClosedRange<Double>, ClosedRange<Double>) =
            switch next {
            case .parked: (0...0, 60...2500)
            case .driving: (8...30, 60...500)
            case .waiting: (0...0, 5...110)
            case .crawling: (0.5...2, 30...200)
            case .shaken: (0...0, 20...120)
            case .towed: (3...12, 60...200)
            case .carried: (4...8, 100...900)
            case .tunnel: (15...25, 20...240)
            }
        speed = random.uniform(speeds)
        phaseEnd = now + .seconds(Int(random.uniform(seconds)))
    }

    /// The verdict is about the last second.
    mutating func verdict(at now: Instant, _ random: inout SplitMix) -> MotionVerdict {
        let levels: ClosedRange<Double> =
            switch phase {
            case .parked, .carried: 0.02...0.08
            case .waiting: 0.08...0.16
            case .towed: 0.1...0.3
            case .shaken: 0.1...0.5
            case .driving, .crawling, .tunnel: 0.2...0.8
            }
        let deviation = isRound ? (random.uniform(levels) * 50).rounded() / 50 : random.uniform(levels)
        let isActive = deviation > 0.15
        if isActive {
            if lastActive.map({ now - $0 > .seconds(4) }) ?? true { activeSince = now - .seconds(1) }
            lastActive = now
        }
        let isMoving = lastActive.map { now - $0 <= .seconds(4) } ?? false
        let peak = random.once(in: 40) ? random.uniform(9...60) : random.uniform(0.1...6)
        let mean = AccelerationSample(x: acceleration, y: random.uniform(-5...5) * (speed > 8 ? 1 : 0.05), z: 9.81)
        let shock = WindowForces.Shock(
            peak: Acceleration(peak), lasted: peak > 9 ? .milliseconds(Int(random.uniform(20...300))) : .zero)
        return MotionVerdict(
            isMoving: isMoving, isActive: isActive, onset: isMoving ? activeSince : nil,
            forces: random.once(in: 5) ? nil : WindowForces(mean: mean, shock: shock),
            deviation: random.once(in: 9) ? nil : Acceleration(deviation))
    }

    /// In a tunnel, and once in 90 reports elsewhere, there is no fix. One fix in 70 is 0.3 to 9 km off.
    mutating func report(at now: Instant, _ random: inout SplitMix) -> Fix {
        if phase == .tunnel || random.once(in: 90) { return Fix(mode: .noFix) }
        let spread = random.once(in: 6) ? 15.0 : 2
        let stray = random.once(in: 70) ? random.uniform(300...9000) : 0
        var fix = Fix(
            mode: .threeDimensional, time: EventfulLife.date + (now - .boot),
            coordinate: EventfulLife.home?.moved(
                east: Metres(east + random.normal() * spread + stray), north: Metres(north + random.normal() * spread)),
            accuracy: Metres(random.uniform(2...9) * (spread > 2 ? 4 : 1)), altitude: Metres(random.uniform(-5...90)),
            speed: MetresPerSecond(max(0, speed + random.normal() * 0.2)))
        fix.course = speed > 1 ? Degrees(course) : nil
        fix.hdop = random.uniform(0.6...3)
        fix.satellites = Int(random.next() % 14)
        if isRound {
            fix.accuracy = Metres(random.pick([1, 3, 4, 5, 8, 10, 15, 20, 25, 30, 50, 65]))
            fix.speed = fix.speed.map { MetresPerSecond(($0.value * 2).rounded() / 2) }
            fix.hdop = random.pick([0.5, 1, 2, 5, 10])
        }
        if random.once(in: 60) { fix.accuracy = Metres(random.pick([70, 100, 150, 200, 300, 500, 900])) }
        if random.once(in: 60) { fix.speed = nil }
        if random.once(in: 60) { fix.accuracy = nil }
        if random.once(in: 90) { fix.time = fix.time.map { $0 - .seconds(40) } }
        if random.once(in: 90) { fix.mode = .twoDimensional }
        if random.once(in: 200) { fix.solution = random.pick([.simulated, .deadReckoning, .combined]) }
        if random.once(in: 50) { fix.jamming = Int(random.next() % 256) }
        return fix
    }

    /// The distances from home, in metres.
    var place: (east: Double, north: Double) { (east, north) }
}
