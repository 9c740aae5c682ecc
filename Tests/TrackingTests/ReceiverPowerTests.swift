import Quantities
import Testing

@testable import Tracking

@Suite("The supply of the receiver")
struct ReceiverPowerTests {
    private var power = ReceiverPower()

    @Test("is on while either of its two users wants it, and is switched once")
    mutating func twoUsers() {
        #expect(power.want(true, by: .tracking, at: .at(0)) == [.receiver(isOn: true)])
        #expect(power.want(true, by: .request, at: .at(1)).isEmpty)
        #expect(power.want(false, by: .tracking, at: .at(2)).isEmpty)
        #expect(power.isOn)
        #expect(power.want(false, by: .request, at: .at(3)) == [.receiver(isOn: false)])
        #expect(power.want(false, by: .tracking, at: .at(4)).isEmpty)
        #expect(!power.isOn)
    }

    @Test("is cut whoever wants it, and comes back only if somebody still does")
    mutating func cut() {
        #expect(power.cut(true, at: .at(0)).isEmpty)
        #expect(power.want(true, by: .tracking, at: .at(1)).isEmpty)
        #expect(power.cut(false, at: .at(2)) == [.receiver(isOn: true)])
        #expect(power.cut(true, at: .at(3)) == [.receiver(isOn: false)])
        #expect(power.want(false, by: .tracking, at: .at(4)).isEmpty)
        #expect(power.cut(false, at: .at(5)).isEmpty)
    }

    @Test("measures the time to the first fix after each start, and to no other")
    mutating func timeToFirstFix() {
        #expect(power.fix(at: .at(0), average: nil) == nil)
        _ = power.want(true, by: .tracking, at: .at(10))
        #expect(power.fix(at: .at(50), average: nil) == .seconds(40))
        #expect(power.fix(at: .at(51), average: .seconds(40)) == nil)
        _ = power.want(true, by: .request, at: .at(60))
        #expect(power.fix(at: .at(61), average: .seconds(40)) == nil)
    }

    @Test("lets a new time to first fix count for a quarter")
    mutating func average() {
        _ = power.want(true, by: .tracking, at: .at(0))
        #expect(power.fix(at: .at(4), average: .seconds(40)) == .seconds(31))
    }
}
