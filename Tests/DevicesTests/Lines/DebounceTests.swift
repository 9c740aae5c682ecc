@testable import Devices
import Quantities
import Testing

@Suite("A debounced input")
struct DebounceTests {
    private var input = Debounce(
        Debounce.Times(active: .milliseconds(100), inactive: .seconds(1)), isActive: false)

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    @Test("A level is accepted when it has lasted long enough, and not earlier.")
    mutating func lasts() {
        #expect(input.note(true, at: at(0)) == [])
        #expect(input.deadline == at(100))
        #expect(input.note(true, at: at(99)) == [])
        #expect(input.note(true, at: at(100)) == [true])
        #expect(input.deadline == nil)
    }

    @Test("Switching on and switching off have separate durations.")
    mutating func directions() {
        _ = input.note(true, at: at(0))
        _ = input.note(true, at: at(100))
        #expect(input.note(false, at: at(200)) == [])
        #expect(input.deadline == at(1200))
        #expect(input.note(false, at: at(1200)) == [false])
    }

    @Test("Bouncing contacts are ignored.")
    mutating func bounces() {
        for moment in stride(from: Int64(0), to: 990, by: 99) {
            #expect(input.note(true, at: at(moment)) == [])
            #expect(input.note(false, at: at(moment + 98)) == [])
        }
        #expect(!input.isActive)
        #expect(input.deadline == nil)
    }

    @Test("The duration of a level counts from the last bounce.")
    mutating func bouncesAndLasts() {
        _ = input.note(true, at: at(0))
        _ = input.note(false, at: at(5))
        _ = input.note(true, at: at(7))
        #expect(input.note(true, at: at(106)) == [])
        #expect(input.note(true, at: at(107)) == [true])
    }

    @Test("A level that lasted between two edges is accepted, even if both edges arrive late.")
    mutating func late() {
        _ = input.note(true, at: at(0))
        #expect(input.note(false, at: at(300)) == [true])
        #expect(input.note(false, at: at(1300)) == [false])
    }

    @Test("A level without a duration is accepted at once.")
    func immediate() {
        var input = Debounce(Debounce.Times(active: .zero, inactive: .seconds(1)), isActive: false)
        #expect(input.note(true, at: at(0)) == [true])
        #expect(input.note(false, at: at(1)) == [])
        #expect(input.note(true, at: at(2)) == [])
        #expect(input.isActive)
    }
}
