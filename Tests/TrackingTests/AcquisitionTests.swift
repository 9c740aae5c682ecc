import Quantities
import Testing

@testable import Tracking

@Suite("The search for the sky")
struct AcquisitionTests {
    private var acquisition = Acquisition(isCold: false)
    private var bench = ComponentBench()

    @Test("powers the receiver, and is given up after fixTimeout")
    mutating func search() {
        let steps = begin(at: .at(0))
        #expect(steps == [.receiver(isOn: true), .arm(.fixTimeout, at: .at(120))])
        #expect(!acquisition.isResting)
        let rest = timeOut(at: .at(120))
        #expect(rest.suffix(2) == [.receiver(isOn: false), .arm(.acquire, at: .at(150))])
        #expect(acquisition.isResting)
    }

    @Test("is tried again after 30, 60, 120, 240, 480, 600 and 600 s")
    mutating func pauses() {
        #expect(failures(7, from: 0) == [30, 60, 120, 240, 480, 600, 600])
    }

    @Test("is long enough for an almanac from the second time on, for a receiver that has never had a fix")
    mutating func almanac() {
        acquisition = Acquisition(isCold: true)
        var now = 0.0
        for span in [120.0, 900, 900] {
            #expect(begin(at: .at(now)).last == .arm(.fixTimeout, at: .at(now + span)))
            #expect(timeOut(at: .at(now + span - 1)).count == 1)
            #expect(timeOut(at: .at(now + span)).contains(.receiver(isOn: false)))
            now += 10_000
        }
    }

    @Test("tells once that there is no fix, and once that there is one again")
    mutating func told() {
        _ = begin(at: .at(0))
        #expect(timeOut(at: .at(120)).providerChanges == [.noFix])
        _ = begin(at: .at(150))
        #expect(timeOut(at: .at(270)).providerChanges.isEmpty)
        _ = begin(at: .at(330))
        let (first, second) = (acquisition.fix(at: .at(331)), acquisition.fix(at: .at(332)))
        #expect(first && !second)
    }

    @Test("begins with the shortest pause again after a fix")
    mutating func reset() {
        _ = failures(4, from: 0)
        _ = begin(at: .at(2000))
        let isBack = acquisition.fix(at: .at(2010))
        #expect(isBack)
        #expect(failures(2, from: 2100) == [30, 60])
    }

    @Test("heeds no timer that comes too soon, but arms it again")
    mutating func early() {
        _ = begin(at: .at(0))
        #expect(timeOut(at: .at(119)) == [.arm(.fixTimeout, at: .at(120))])
        _ = acquisition.fix(at: .at(100))
        #expect(timeOut(at: .at(120)) == [.arm(.fixTimeout, at: .at(220))])
    }

    @Test("is given up when the fixes have ended for fixTimeout, also when the timer comes late")
    mutating func late() {
        _ = begin(at: .at(0))
        _ = acquisition.fix(at: .at(100))
        #expect(timeOut(at: .at(500)).suffix(1) == [.arm(.acquire, at: .at(530))])
    }

    @Test("does nothing with a timer while the receiver rests")
    mutating func resting() {
        #expect(timeOut(at: .at(500)).isEmpty)
        _ = failures(1, from: 600)
        #expect(timeOut(at: .at(900)).isEmpty)
    }

    @Test("goes on resting when a fix comes for another reason")
    mutating func fixWhileResting() {
        _ = failures(1, from: 0)
        _ = acquisition.fix(at: .at(130))
        #expect(acquisition.isResting)
    }

    private mutating func begin(at now: Instant) -> [Effect] {
        bench.run(at: now) { acquisition.begin($0, &$1, into: &$2) }
    }

    private mutating func timeOut(at now: Instant) -> [Effect] {
        bench.run(at: now) { context, equipment, effects in
            guard acquisition.hasTimedOut(context, into: &effects) else { return }
            acquisition.rest(context, &equipment, into: &effects)
        }
    }

    /// Lets so many searches fail; the seconds of the pauses after them.
    private mutating func failures(_ count: Int, from start: Double) -> [Double] {
        var now = Instant.at(start)
        return (0..<count).map { _ in
            _ = begin(at: now)
            now = now + .seconds(120)
            for case .arm(.acquire, let moment) in timeOut(at: now) {
                let pause = (moment - now).inSeconds
                now = moment
                return pause
            }
            return 0
        }
    }
}
