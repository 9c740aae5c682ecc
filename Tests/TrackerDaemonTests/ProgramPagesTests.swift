import Quantities
import Testing

@testable import TrackerDaemon

@Suite("The release of the program's pages")
struct ProgramPagesTests {
    @Test("The program's pages are released 60 s after the start, and then each hour.")
    func schedule() {
        #expect(releases(after_s: [0, 59, 60, 61, 3659, 3660, 3661]) == [60, 3660])
    }

    @Test("After a long sleep, the program's pages are released once, not once for each hour of the sleep.")
    func sleep() {
        #expect(releases(after_s: [36_000, 36_000, 39_599, 39_600]) == [36_000, 39_600])
    }

    private func releases(after_s times: [Int]) -> [Int] {
        let start = Instant(seconds: 100)
        var pages = ProgramPages(start: start)
        return times.filter { pages.isReleaseDue(at: start + .seconds($0)) }
    }
}
