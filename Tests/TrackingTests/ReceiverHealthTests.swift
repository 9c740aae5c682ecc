import Quantities
import Testing

@testable import Tracking

@Suite("A receiver")
struct ReceiverHealthTests {
    private var health = ReceiverHealth()

    private static let silent = Step.record(.providerchange(ProviderChange(.silent)))
    private static let frozen = Step.record(.providerchange(ProviderChange(.frozen)))
    private static let available = Step.record(.providerchange(ProviderChange(.available)))

    @Test("is lost after 30 s without a word")
    mutating func silence() {
        #expect(health.power(isOn: true, at: .at(0)) == [.perform(.arm(.health, at: .at(30)))])
        #expect(health.report(Samples.fix(10), at: .at(10)).isEmpty)
        #expect(health.timer(at: .at(30)) == [.perform(.arm(.health, at: .at(40)))])
        #expect(health.timer(at: .at(39)) == [.perform(.arm(.health, at: .at(40)))])
        #expect(health.timer(at: .at(40)).contains(Self.silent))
    }

    @Test("that reports without a position is heard")
    mutating func withoutPosition() {
        _ = health.power(isOn: true, at: .at(0))
        for second in 1...60 { #expect(health.report(Fix(mode: .noFix), at: .at(Double(second))).isEmpty) }
        #expect(health.timer(at: .at(60)) == [.perform(.arm(.health, at: .at(90)))])
    }

    @Test("is lost when it repeats place and time for 10 s")
    mutating func freeze() {
        _ = health.power(isOn: true, at: .at(0))
        for second in 1...10 { #expect(health.report(Samples.fix(1), at: .at(Double(second))).isEmpty) }
        #expect(health.report(Samples.fix(1), at: .at(11)).contains(Self.frozen))
    }

    @Test("that stands still is not frozen: its time goes on")
    mutating func standing() {
        _ = health.power(isOn: true, at: .at(0))
        for second in 1...100 { #expect(health.report(Samples.fix(Double(second)), at: .at(Double(second))).isEmpty) }
    }

    @Test("is power-cycled for 5 s after 60 s, and again after pauses that double up to an hour")
    mutating func powerCycles() {
        let (gaps, cuts) = cycles(9)
        #expect(gaps == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
        #expect(cuts == [5, 5, 5, 5, 5, 5, 5, 5, 5])
    }

    @Test("is reopened and reset before it is power-cycled, where the board has means for that", arguments: ladders)
    func ladder(recoveries: [ReceiverRecovery], steps: [String]) {
        var health = ReceiverHealth(recoveries)
        _ = health.power(isOn: true, at: .at(0))
        var (now, attempts) = (Instant.at(30), [String]())
        while attempts.count < 4 {
            for step in health.timer(at: now) {
                switch step {
                case .perform(.recover(let recovery)): attempts.append("\(recovery) at \(Int(now.seconds))")
                case .cutReceiver(true): attempts.append("cut at \(Int(now.seconds))")
                case .perform(.arm(.health, let moment)): now = moment
                default: break
                }
            }
        }
        #expect(attempts == steps)
    }

    /// The pauses grow from 60 s, whatever is tried; a cut takes 5 s.
    static let ladders: [([ReceiverRecovery], [String])] = [
        ([.reopen, .reset], ["reopen at 90", "reset at 210", "cut at 450", "cut at 935"]),
        ([.reset], ["reset at 90", "cut at 210", "cut at 455", "cut at 940"]),
        ([], ["cut at 90", "cut at 215", "cut at 460", "cut at 945"]),
    ]

    @Test("is power-cycled after nothing gentler has helped, and its means are tried anew after it was back")
    mutating func laddersBegin() {
        health = ReceiverHealth([.reopen])
        _ = health.power(isOn: true, at: .at(0))
        _ = health.timer(at: .at(30))
        #expect(health.timer(at: .at(90)).contains(.perform(.recover(.reopen))))
        #expect(health.report(Samples.fix(100), at: .at(100)).contains(Self.available))
        _ = health.timer(at: .at(130))
        #expect(health.timer(at: .at(190)).contains(.perform(.recover(.reopen))))
    }

    @Test("is not power-cycled by a timer that comes too soon")
    mutating func early() {
        _ = health.power(isOn: true, at: .at(0))
        _ = health.timer(at: .at(30))
        #expect(!health.timer(at: .at(89)).contains(.cutReceiver(true)))
        #expect(health.timer(at: .at(90)).contains(.cutReceiver(true)))
        #expect(!health.timer(at: .at(94)).contains(.cutReceiver(false)))
        #expect(health.timer(at: .at(95)).contains(.cutReceiver(false)))
    }

    @Test("that is back is told of once, and so is one that is lost")
    mutating func back() {
        _ = health.power(isOn: true, at: .at(0))
        #expect(health.timer(at: .at(30)).contains(Self.silent))
        #expect(health.report(Samples.fix(50), at: .at(50)).contains(Self.available))
        #expect(!health.report(Samples.fix(51), at: .at(51)).contains(Self.available))
        _ = health.timer(at: .at(81))
        // The pauses begin anew.
        #expect(health.timer(at: .at(141)).contains(.cutReceiver(true)))
        _ = health.timer(at: .at(146))
        #expect(health.power(isOn: true, at: .at(146)) == [.perform(.arm(.health, at: .at(176)))])
        #expect(!health.timer(at: .at(176)).contains(Self.silent))
    }

    @Test("that is off is not missed, and one that was lost is told of when it is on again and heard")
    mutating func off() {
        _ = health.power(isOn: true, at: .at(0))
        _ = health.timer(at: .at(30))
        #expect(health.power(isOn: false, at: .at(40)) == [.perform(.cancel(.health))])
        #expect(health.timer(at: .at(90)).isEmpty)
        #expect(health.report(Samples.fix(91), at: .at(91)).isEmpty)
        _ = health.power(isOn: true, at: .at(100))
        #expect(health.report(Samples.fix(101), at: .at(101)) == [Self.available])
    }

    @Test("that is switched on is given its 30 s, though it said the same before it went off")
    mutating func restarted() {
        _ = health.power(isOn: true, at: .at(0))
        _ = health.report(Samples.fix(1), at: .at(1))
        _ = health.power(isOn: false, at: .at(2))
        _ = health.power(isOn: true, at: .at(500))
        #expect(health.report(Samples.fix(1), at: .at(501)).isEmpty)
        #expect(health.timer(at: .at(530)) == [.perform(.arm(.health, at: .at(531)))])
    }

    /// Lets it be silent; the seconds from the loss, or from the last time it got power back, to each cut, and of each cut.
    private mutating func cycles(_ count: Int) -> (gaps: [Double], cuts: [Double]) {
        _ = health.power(isOn: true, at: .at(0))
        var (gaps, cuts) = ([Double](), [Double]())
        var (now, since) = (Instant.at(30), Instant.at(30))
        while gaps.count < count || cuts.count < count {
            let steps = health.timer(at: now)
            if steps.contains(.cutReceiver(true)) { gaps.append((now - since).inSeconds) }
            if steps.contains(.cutReceiver(false)) { cuts.append((now - since).inSeconds) }
            if steps.contains(.cutReceiver(true)) || steps.contains(.cutReceiver(false)) { since = now }
            for case .perform(.arm(.health, let moment)) in steps { now = moment }
        }
        return (gaps, cuts)
    }
}
