import Quantities
import Testing

@testable import Tracking

@Suite("The search for a fix")
struct AcquisitionTests {
    private var acquisition = Acquisition(isCold: false)
    private var bench = ComponentBench()

    @Test("A search for a fix powers the receiver and is given up after fixTimeout.")
    mutating func search() {
        let steps = begin(at: .at(0))
        #expect(steps == [.receiver(isOn: true), .arm(.fixTimeout, at: .at(120))])
        #expect(!acquisition.isResting)
        let rest = timeOut(at: .at(120))
        #expect(rest.suffix(2) == [.receiver(isOn: false), .arm(.acquire, at: .at(150))])
        #expect(acquisition.isResting)
    }

    @Test("A failed search is repeated after 30, 60, 120, 240, 480, 600 and 600 s.")
    mutating func pauses() {
        #expect(failures(7, from: 0) == [30, 60, 120, 240, 480, 600, 600])
    }

    @Test("For a receiver that has never had a fix, the second search is long enough to receive an almanac.")
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

    @Test("The loss of fixes is reported once, and the return of fixes is reported once.")
    mutating func told() {
        _ = begin(at: .at(0))
        #expect(timeOut(at: .at(120)).providerChanges == [.noFix])
        _ = begin(at: .at(150))
        #expect(timeOut(at: .at(270)).providerChanges.isEmpty)
        _ = begin(at: .at(330))
        let (first, second) = (acquisition.fix(at: .at(331)), acquisition.fix(at: .at(332)))
        #expect(first && !second)
    }

    @Test("After a fix, the pauses between searches start again with the shortest.")
    mutating func reset() {
        _ = failures(4, from: 0)
        _ = begin(at: .at(2000))
        let isBack = acquisition.fix(at: .at(2010))
        #expect(isBack)
        #expect(failures(2, from: 2100) == [30, 60])
    }

    @Test("A search timer that comes too soon has no effect but is armed again.")
    mutating func early() {
        _ = begin(at: .at(0))
        #expect(timeOut(at: .at(119)) == [.arm(.fixTimeout, at: .at(120))])
        _ = acquisition.fix(at: .at(100))
        #expect(timeOut(at: .at(120)) == [.arm(.fixTimeout, at: .at(220))])
    }

    @Test("A search is given up when no fix has come for fixTimeout, even if the timer is late.")
    mutating func late() {
        _ = begin(at: .at(0))
        _ = acquisition.fix(at: .at(100))
        #expect(timeOut(at: .at(500)).suffix(1) == [.arm(.acquire, at: .at(530))])
    }

    @Test("A search timer has no effect while the receiver is off.")
    mutating func resting() {
        #expect(timeOut(at: .at(500)).isEmpty)
        _ = failures(1, from: 600)
        #expect(timeOut(at: .at(900)).isEmpty)
    }

    @Test("A fix that comes for another reason does not end the pause between searches.")
    mutating func fixWhileResting() {
        _ = failures(1, from: 0)
        _ = acquisition.fix(at: .at(130))
        #expect(acquisition.isResting)
    }

    private mutating func begin(at now: Instant) -> [Effect] {
        bench.run(at: now) { acquisition.begin(&$0, in: &$1) }
    }

    private mutating func timeOut(at now: Instant) -> [Effect] {
        bench.run(at: now) { equipment, turn in
            guard acquisition.hasTimedOut(in: &turn) else { return }
            acquisition.rest(&equipment, in: &turn)
        }
    }

    /// Lets this number of searches fail; returns the lengths of the pauses after the searches, in seconds.
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
