import Quantities
import Testing

@testable import Tracking

@Suite("The supply of the receiver")
struct ReceiverDemandTests {
    private var demand = ReceiverDemand()

    @Test("The receiver's supply is on while at least one of its two users needs the receiver, and is switched once.")
    mutating func twoUsers() {
        #expect(want(true, by: .tracking, at: .at(0)) == [.receiver(isOn: true)])
        #expect(want(true, by: .request, at: .at(1)).isEmpty)
        #expect(want(false, by: .tracking, at: .at(2)).isEmpty)
        #expect(demand.isOn)
        #expect(want(false, by: .request, at: .at(3)) == [.receiver(isOn: false)])
        #expect(want(false, by: .tracking, at: .at(4)).isEmpty)
        #expect(!demand.isOn)
    }

    @Test("The receiver's supply is cut for all users, and comes back only if a user still needs it.")
    mutating func cut() {
        #expect(cut(true, at: .at(0)).isEmpty)
        #expect(want(true, by: .tracking, at: .at(1)).isEmpty)
        #expect(cut(false, at: .at(2)) == [.receiver(isOn: true)])
        #expect(cut(true, at: .at(3)) == [.receiver(isOn: false)])
        #expect(want(false, by: .tracking, at: .at(4)).isEmpty)
        #expect(cut(false, at: .at(5)).isEmpty)
    }

    @Test("The time to first fix is measured only at the first fix after each start.")
    mutating func timeToFirstFix() {
        #expect(demand.fix(at: .at(0), average: nil) == nil)
        _ = want(true, by: .tracking, at: .at(10))
        #expect(demand.fix(at: .at(50), average: nil) == .seconds(40))
        #expect(demand.fix(at: .at(51), average: .seconds(40)) == nil)
        _ = want(true, by: .request, at: .at(60))
        #expect(demand.fix(at: .at(61), average: .seconds(40)) == nil)
    }

    @Test("A new time to first fix has a weight of a quarter.")
    mutating func average() {
        _ = want(true, by: .tracking, at: .at(0))
        #expect(demand.fix(at: .at(4), average: .seconds(40)) == .seconds(31))
    }

    private mutating func want(_ isWanted: Bool, by user: ReceiverDemand.User, at now: Instant) -> [Effect] {
        var effects = EffectBuffer()
        let isSwitched = demand.want(isWanted, by: user, at: now, into: &effects)
        #expect(isSwitched == !effects.effects.isEmpty)
        return effects.effects
    }

    private mutating func cut(_ isCut: Bool, at now: Instant) -> [Effect] {
        var effects = EffectBuffer()
        demand.cut(isCut, at: now, into: &effects)
        return effects.effects
    }
}
