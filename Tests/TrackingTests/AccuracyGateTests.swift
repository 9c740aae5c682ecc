import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The accuracy gate")
struct AccuracyGateTests {
    private static let limits: [(DesiredAccuracy, metres: Double, Bool)] = [
        (.best, 10, true), (.best, 10.1, false), (.high, 20, true), (.high, 20.1, false), (.medium, 100, true),
        (.medium, 100.1, false), (.low, 1000, true), (.low, 1000.1, false),
    ]

    @Test("The accuracy limit follows desiredAccuracy: 20, 100 or 1000 m, and 10 m for `best`.", arguments: limits)
    func limit(accuracy: DesiredAccuracy, metres: Double, isTaken: Bool) throws {
        var gate = gate(accuracy)
        gate.close(at: .at(0))
        #expect(gate.pass(try Samples.accepted(1, accuracy: metres), at: .at(1)) == isTaken)
    }

    @Test("Without a stated error, the number of satellites decides whether a fix is good enough.")
    func unknown() throws {
        var gate = gate(.high)
        gate.close(at: .at(0))
        #expect(gate.pass(try Samples.accepted(1, accuracy: nil), at: .at(1)) == true)
    }

    @Test("After one good fix, the accuracy gate passes every fix until the receiver is switched on again.")
    func opened() throws {
        var gate = gate(.high)
        let bad = try Samples.accepted(2, accuracy: 150)
        #expect(gate.pass(bad, at: .at(0)) == true)
        gate.close(at: .at(0))
        #expect(gate.pass(try Samples.accepted(1, accuracy: 20), at: .at(1)) == true)
        #expect(gate.pass(bad, at: .at(2)) == true)
        gate.close(at: .at(3))
        #expect(gate.pass(try Samples.accepted(4, accuracy: 150), at: .at(4)) == false)
    }

    @Test("After fixTimeout the accuracy gate passes the next fix; until then it remembers the best one.")
    func timeout() throws {
        var gate = gate(.high)
        gate.close(at: .at(0))
        let best = try Samples.accepted(2, accuracy: 40)
        for fix in [try Samples.accepted(1, accuracy: 90), best, try Samples.accepted(3, accuracy: 60)] {
            #expect(gate.pass(fix, at: .at(3)) == false)
        }
        #expect(gate.secondBest == best)
        let last = try Samples.accepted(120, accuracy: 80)
        #expect(gate.pass(last, at: .at(119.9)) == false)
        #expect(gate.secondBest == best)
        let next = try Samples.accepted(121, accuracy: 95)
        #expect(gate.pass(next, at: .at(120)) == true)
        #expect(gate.secondBest == nil)
    }

    @Test("A good fix passes the accuracy gate alone, without the worse fixes before it.")
    func good() throws {
        var gate = gate(.high)
        gate.close(at: .at(0))
        _ = gate.pass(try Samples.accepted(1, accuracy: 90), at: .at(1))
        let good = try Samples.accepted(200, accuracy: 5)
        #expect(gate.pass(good, at: .at(200)) == true)
        #expect(gate.secondBest == nil)
    }

    private func gate(_ accuracy: DesiredAccuracy) -> AccuracyGate {
        var options = TrackingOptions()
        options.desiredAccuracy = accuracy
        return AccuracyGate(options)
    }
}
