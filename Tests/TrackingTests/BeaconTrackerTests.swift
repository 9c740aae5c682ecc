import Quantities
import TestSupport
import Testing

@testable import Tracking

@Suite("The beacon tracker")
struct BeaconTrackerTests {
    private typealias Effect = BeaconTracker.Effect

    private var tracker = BeaconTracker(
        [.init(id: "van", beacon: Samples.beacon(7), rssiLimit: -80), .init(id: "gate", beacon: Samples.beacon(8))],
        exitDelay: .seconds(30))

    init() { _ = tracker.handle(.scan(.full), at: .at(0)) }

    private mutating func hear(_ minor: UInt16, _ rssi: Int8 = -70, at second: Double) -> [Effect] {
        tracker.handle(.sighting(Samples.sighting(minor, rssi)), at: .at(second))
    }

    @Test("A beacon region is entered at the first sighting whose strength is not below the region's limit.")
    mutating func enter() {
        #expect(hear(7, -81, at: 1).isEmpty)
        #expect(tracker.inside.isEmpty)
        #expect(hear(7, -80, at: 2) == [.entered("van"), .arm(at: .at(32))])
        #expect(hear(7, -40, at: 3).isEmpty)
        #expect(tracker.inside == ["van"])
    }

    @Test("A beacon region without a limit is entered at any signal strength.")
    mutating func noLimit() {
        #expect(hear(8, -127, at: 1).first == .entered("gate"))
    }

    @Test("A beacon region is not entered for another beacon.")
    mutating func stranger() {
        #expect(hear(9, -30, at: 1).isEmpty)
    }

    @Test("A beacon region of any major and minor is entered once for all beacons of a UUID.")
    mutating func wildcard() {
        tracker.watch([.init(id: "all", beacon: BeaconIdentity(uuid: Samples.beaconUUID))])
        #expect(hear(1, at: 1).first == .entered("all"))
        #expect(hear(2, at: 2).isEmpty)
    }

    @Test("A beacon region is left 30 s after the last sighting, by a timer.")
    mutating func leave() {
        _ = hear(7, at: 0)
        _ = hear(7, at: 12.5)
        #expect(tracker.handle(.timer, at: .at(30)) == [.arm(at: .at(42.5))])
        #expect(tracker.handle(.timer, at: .at(42.5)) == [.left("van", inside: .seconds(12.5))])
        #expect(tracker.inside.isEmpty)
    }

    @Test("A beacon region is left after the configured delay.", arguments: [1.0, 30, 300])
    mutating func delay(seconds: Double) {
        var tracker = BeaconTracker([.init(id: "a", beacon: Samples.beacon())], exitDelay: .seconds(seconds))
        _ = tracker.handle(.scan(.full), at: .at(0))
        let effects = tracker.handle(.sighting(Samples.sighting()), at: .at(5))
        #expect(effects == [.entered("a"), .arm(at: .at(5 + seconds))])
        #expect(tracker.handle(.timer, at: .at(5 + seconds)) == [.left("a", inside: .zero)])
    }

    @Test("A beacon region is left if its beacon is heard only below the limit.")
    mutating func tooWeak() {
        _ = hear(7, at: 0)
        for second in 1..<30 { #expect(hear(7, -81, at: Double(second)).isEmpty) }
        #expect(tracker.handle(.timer, at: .at(30)) == [.left("van", inside: .zero)])
    }

    @Test("A beacon region is entered again after it was left.")
    mutating func again() {
        _ = hear(7, at: 0)
        _ = tracker.handle(.timer, at: .at(30))
        #expect(hear(7, at: 31) == [.entered("van"), .arm(at: .at(61))])
    }

    @Test("Time without a scan does not count towards leaving a beacon region.")
    mutating func scanOff() {
        _ = hear(7, at: 0)
        #expect(tracker.handle(.scan(.off), at: .at(10)) == [.cancel])
        #expect(tracker.handle(.timer, at: .at(30)).isEmpty)
        #expect(tracker.inside == ["van"])
        #expect(tracker.handle(.scan(.full), at: .at(1000)) == [.arm(at: .at(1020))])
        #expect(tracker.handle(.timer, at: .at(1020)) == [.left("van", inside: .zero)])
    }

    @Test(
        "With a short delay and a low duty cycle, a beacon region is left after three silent windows, not between two.")
    mutating func lowDuty() {
        var tracker = BeaconTracker([.init(id: "a", beacon: Samples.beacon())], exitDelay: .seconds(5))
        _ = tracker.handle(.scan(.full), at: .at(0))
        #expect(tracker.handle(.sighting(Samples.sighting()), at: .at(1)).last == .arm(at: .at(6)))
        #expect(tracker.handle(.scan(.low), at: .at(2)) == [.arm(at: .at(31))])
        #expect(tracker.handle(.scan(.full), at: .at(3)) == [.arm(at: .at(6))])
    }

    @Test("A late timer leaves all silent beacon regions, in the order in which they were entered.")
    mutating func lateTimer() {
        _ = hear(8, at: 0)
        _ = hear(7, at: 10)
        #expect(tracker.handle(.timer, at: .at(500)) == [.left("gate", inside: .zero), .left("van", inside: .zero)])
    }

    @Test("A beacon region that was inside before a restart is not entered again, and is left if its beacon is silent.")
    mutating func restart() {
        var tracker = BeaconTracker(
            [.init(id: "van", beacon: Samples.beacon(7)), .init(id: "gate", beacon: Samples.beacon(8))],
            exitDelay: .seconds(30), inside: ["gate", "van", "gone"])
        #expect(tracker.inside == ["gate", "van"])
        #expect(tracker.handle(.scan(.full), at: .at(100)) == [.arm(at: .at(130))])
        #expect(tracker.handle(.sighting(Samples.sighting(7)), at: .at(101)).isEmpty)
        #expect(tracker.handle(.timer, at: .at(130)) == [.left("gate", inside: nil), .arm(at: .at(131))])
        #expect(tracker.inside == ["van"])
    }

    @Test("A beacon region that is no longer watched is removed from the occupied regions.")
    mutating func forgotten() {
        _ = hear(7, at: 0)
        _ = hear(8, at: 0)
        tracker.watch([.init(id: "gate", beacon: Samples.beacon(8))])
        #expect(tracker.inside == ["gate"])
        #expect(tracker.handle(.timer, at: .at(30)) == [.left("gate", inside: .zero)])
    }

    @Test("A beacon region reports the signal of its beacon.")
    mutating func signal() {
        #expect(tracker.signal(of: "van") == nil)
        _ = hear(7, -50, at: 0)
        #expect(tracker.signal(of: "van")?.proximity(at: .at(1)) == .immediate)
    }

    @Test("A beacon region is entered and left alternately under any sequence of events.", arguments: 1...20)
    func alternation(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        var tracker = tracker
        var inside: [String] = []
        var now = 0.0
        for _ in 0..<2000 {
            now += Double(generator.next() % 12)
            for effect in tracker.handle(generator.beaconEvent(), at: .at(now)) {
                switch effect {
                case .entered(let id):
                    #expect(!inside.contains(id), "seed \(seed)")
                    inside.append(id)
                case .left(let id, _):
                    #expect(inside.contains(id), "seed \(seed)")
                    inside.removeAll { $0 == id }
                case .arm(let moment): #expect(moment >= .at(now), "seed \(seed)")
                case .cancel: break
                }
            }
            #expect(tracker.inside == inside, "seed \(seed)")
        }
    }
}

extension SplitMix {
    fileprivate mutating func beaconEvent() -> BeaconTracker.Event {
        switch next() % 8 {
        case 0: .scan(ScanDuty.allCases[Int(next() % 3)])
        case 1, 2, 3: .timer
        default: .sighting(Samples.sighting(UInt16(6 + next() % 4), -60 - Int8(next() % 40)))
        }
    }
}
