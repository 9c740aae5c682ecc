import Quantities
import Testing

@testable import Tracking

@Suite("The health of the receiver")
struct ReceiverHealthTests {
    private var watch = Watch()

    @Test("A receiver is lost after 30 s of silence.")
    mutating func silence() {
        #expect(watch.power(isOn: true, at: .at(0)) == [.arm(.health, at: .at(30))])
        #expect(watch.report(Samples.fix(10), at: .at(10)).isEmpty)
        #expect(watch.timer(at: .at(30)) == [.arm(.health, at: .at(40))])
        #expect(watch.timer(at: .at(39)) == [.arm(.health, at: .at(40))])
        #expect(watch.timer(at: .at(40)).providerChanges == [.silent])
    }

    @Test("A receiver that reports without a position is not silent.")
    mutating func withoutPosition() {
        _ = watch.power(isOn: true, at: .at(0))
        for second in 1...60 { #expect(watch.report(Fix(mode: .noFix), at: .at(Double(second))).isEmpty) }
        #expect(watch.timer(at: .at(60)) == [.arm(.health, at: .at(90))])
    }

    @Test("A receiver is lost if it repeats position and time for 10 s.")
    mutating func freeze() {
        _ = watch.power(isOn: true, at: .at(0))
        for second in 1...10 { #expect(watch.report(Samples.fix(1), at: .at(Double(second))).isEmpty) }
        #expect(watch.report(Samples.fix(1), at: .at(11)).providerChanges == [.frozen])
    }

    @Test("A receiver in a parked vehicle is not frozen, because its time continues.")
    mutating func standing() {
        _ = watch.power(isOn: true, at: .at(0))
        for second in 1...100 { #expect(watch.report(Samples.fix(Double(second)), at: .at(Double(second))).isEmpty) }
    }

    @Test("A lost receiver loses power for 5 s after 60 s, and again after pauses that double up to an hour.")
    mutating func powerCycles() {
        let (gaps, cuts) = cycles(9)
        #expect(gaps == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
        #expect(cuts == [5, 5, 5, 5, 5, 5, 5, 5, 5])
    }

    @Test("A lost receiver is reopened and reset before a power cycle, if the board can do that.", arguments: ladders)
    func ladder(recoveries: [ReceiverRecovery], steps: [String]) {
        var watch = Watch(recoveries)
        _ = watch.power(isOn: true, at: .at(0))
        var (now, attempts) = (Instant.at(30), [String]())
        while attempts.count < 4 {
            for step in watch.timer(at: now) {
                switch step {
                case .recover(let revival): attempts.append("\(revival) at \(Int(now.seconds))")
                case .receiver(isOn: false): attempts.append("cut at \(Int(now.seconds))")
                case .arm(.health, let moment): now = moment
                default: break
                }
            }
        }
        #expect(attempts == steps)
    }

    /// The first pause is 60 s, and each further attempt at recovery doubles the pause; a power cycle takes 5 s.
    static let ladders: [([ReceiverRecovery], [String])] = [
        ([.reopen, .reset], ["reopen at 90", "reset at 210", "cut at 450", "cut at 935"]),
        ([.reset], ["reset at 90", "cut at 210", "cut at 455", "cut at 940"]),
        ([], ["cut at 90", "cut at 215", "cut at 460", "cut at 945"]),
    ]

    @Test("A receiver is power-cycled only after reopening and reset; after a recovery, these come first again.")
    mutating func laddersBegin() {
        watch = Watch([.reopen])
        _ = watch.power(isOn: true, at: .at(0))
        _ = watch.timer(at: .at(30))
        #expect(watch.timer(at: .at(90)).contains(.recover(.reopen)))
        #expect(watch.report(Samples.fix(100), at: .at(100)).providerChanges == [.available])
        _ = watch.timer(at: .at(130))
        #expect(watch.timer(at: .at(190)).contains(.recover(.reopen)))
    }

    @Test("A timer that comes too soon does not power-cycle the receiver.")
    mutating func early() {
        _ = watch.power(isOn: true, at: .at(0))
        _ = watch.timer(at: .at(30))
        #expect(!watch.timer(at: .at(89)).contains(.receiver(isOn: false)))
        #expect(watch.timer(at: .at(90)).contains(.receiver(isOn: false)))
        #expect(!watch.timer(at: .at(94)).contains(.receiver(isOn: true)))
        #expect(watch.timer(at: .at(95)).contains(.receiver(isOn: true)))
    }

    @Test("The loss of the receiver is reported once, and its return is reported once.")
    mutating func back() {
        _ = watch.power(isOn: true, at: .at(0))
        #expect(watch.timer(at: .at(30)).providerChanges == [.silent])
        #expect(watch.report(Samples.fix(50), at: .at(50)).providerChanges == [.available])
        #expect(watch.report(Samples.fix(51), at: .at(51)).providerChanges.isEmpty)
        _ = watch.timer(at: .at(81))
        // The pauses start again with the shortest one.
        #expect(watch.timer(at: .at(141)).contains(.receiver(isOn: false)))
        _ = watch.timer(at: .at(146))
        #expect(watch.power(isOn: true, at: .at(146)) == [.arm(.health, at: .at(176))])
        #expect(watch.timer(at: .at(176)).providerChanges.isEmpty)
    }

    @Test("A receiver that is off is not lost; a lost receiver is reported as back when it is on and reports again.")
    mutating func off() {
        _ = watch.power(isOn: true, at: .at(0))
        _ = watch.timer(at: .at(30))
        #expect(watch.power(isOn: false, at: .at(40)) == [.cancel(.health)])
        #expect(watch.timer(at: .at(90)).isEmpty)
        #expect(watch.report(Samples.fix(91), at: .at(91)).isEmpty)
        _ = watch.power(isOn: true, at: .at(100))
        #expect(watch.report(Samples.fix(101), at: .at(101)).providerChanges == [.available])
    }

    @Test("A receiver that is switched on is lost only after 30 s, even if its first report repeats an earlier one.")
    mutating func restarted() {
        _ = watch.power(isOn: true, at: .at(0))
        _ = watch.report(Samples.fix(1), at: .at(1))
        _ = watch.power(isOn: false, at: .at(2))
        _ = watch.power(isOn: true, at: .at(500))
        #expect(watch.report(Samples.fix(1), at: .at(501)).isEmpty)
        #expect(watch.timer(at: .at(530)) == [.arm(.health, at: .at(531))])
    }

    /// Lets time pass while the receiver is silent; returns the seconds from the loss or the last restart to each power cut, and
    /// the length of each cut.
    private mutating func cycles(_ count: Int) -> (gaps: [Double], cuts: [Double]) {
        _ = watch.power(isOn: true, at: .at(0))
        var (gaps, cuts) = ([Double](), [Double]())
        var (now, since) = (Instant.at(30), Instant.at(30))
        while gaps.count < count || cuts.count < count {
            let steps = watch.timer(at: now)
            if steps.contains(.receiver(isOn: false)) { gaps.append((now - since).inSeconds) }
            if steps.contains(.receiver(isOn: true)) { cuts.append((now - since).inSeconds) }
            if steps.contains(.receiver(isOn: false)) || steps.contains(.receiver(isOn: true)) { since = now }
            for case .arm(.health, let moment) in steps { now = moment }
        }
        return (gaps, cuts)
    }
}

/// The health check of a receiver that tracking needs.
private struct Watch {
    private var health: ReceiverHealth
    private var demand = ReceiverDemand()
    private var provider = ProviderLog()
    private let bench = ComponentBench()

    init(_ recoveries: [ReceiverRecovery] = []) { health = ReceiverHealth(recoveries) }

    mutating func power(isOn: Bool, at now: Instant) -> [Effect] {
        var (ignored, effects) = (EffectBuffer(), EffectBuffer())
        _ = demand.want(isOn, by: .tracking, at: now, into: &ignored)
        health.power(isOn: isOn, at: now, into: &effects)
        return effects.effects
    }

    mutating func report(_ fix: Fix, at now: Instant) -> [Effect] {
        var turn = bench.turn(at: now)
        health.report(fix, provider: &provider, bench.equipment.logbook, in: &turn)
        return turn.effects.effects
    }

    mutating func timer(at now: Instant) -> [Effect] {
        var turn = bench.turn(at: now)
        health.timer(demand: &demand, provider: &provider, bench.equipment.logbook, in: &turn)
        return turn.effects.effects
    }
}
