import Testing

@testable import Upload

@Suite("Records that a target has refused")
struct SuspectsTests {
    @Test("A refused record waits until the target accepts another record; other records do not wait.")
    func open() {
        var suspects = Suspects()
        suspects.refused(5, reason: "no")
        #expect(suspects.isOpen(5) && !suspects.isOpen(6))
        #expect(suspects.delivered([6]).isEmpty)
        #expect(!suspects.isOpen(5) && !suspects.isOpen(6) && suspects.contains(5))
    }

    @Test("The second counted refusal proves a record faulty, and a delivery clears the record.")
    func proof() {
        var suspects = Suspects()
        suspects.refused(5, reason: "no")
        _ = suspects.delivered([6])
        suspects.refused(5, reason: "still no")
        #expect(suspects.delivered([7]).map(\.reason) == ["still no"])
        #expect(!suspects.contains(5))
        suspects.refused(8, reason: "no")
        #expect(suspects.delivered([8]).isEmpty && !suspects.contains(8))
    }
}
