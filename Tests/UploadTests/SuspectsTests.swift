@testable import Delivery
import Testing

@Suite("Records that a target did not accept")
struct SuspectsTests {
    @Test("A refused record waits until the target accepts another record; other records do not wait.")
    func open() {
        var suspects = Suspects()
        suspects.failed(5, reason: "no", isRefused: true, next: .otherRecord)
        #expect(suspects.isExcluded(5) && !suspects.isExcluded(6))
        #expect(suspects.delivered([6]).isEmpty)
        #expect(!suspects.isExcluded(5) && !suspects.isExcluded(6) && suspects.contains(5))
    }

    @Test(
        "Three failures prove a record faulty if the target has accepted many others, and a delivery clears a record.")
    func proof() {
        var suspects = Suspects()
        var others: Int64 = 100
        for _ in 1...2 {
            suspects.failed(5, reason: "no", isRefused: false, next: .sameRecord)
            for _ in 1...10 {
                others += 1
                #expect(suspects.delivered([others]).isEmpty)
            }
        }
        suspects.failed(5, reason: "still no", isRefused: false, next: .sameRecord)
        #expect(suspects.delivered([99]).map(\.reason) == ["still no"])
        #expect(!suspects.contains(5))
        suspects.failed(8, reason: "no", isRefused: false, next: .sameRecord)
        #expect(suspects.delivered([8]).isEmpty && !suspects.contains(8))
    }

    @Test("After failures of records that the target accepted later, three failures prove nothing.")
    func passing() {
        var suspects = Suspects()
        for sequence in 1...5 as ClosedRange<Int64> {
            suspects.failed(sequence, reason: "busy", isRefused: false, next: .sameRecord)
            _ = suspects.delivered([sequence])
        }
        for other in 101...103 as ClosedRange<Int64> {
            suspects.failed(50, reason: "busy", isRefused: false, next: .sameRecord)
            #expect(suspects.delivered([other]).isEmpty)
        }
    }
}
