import GRDB
import Quantities
@testable import Store
import Testing

@Suite("Reads that fail")
struct ReadFaultsTests {
    /// Returns the seconds at which `ReadFaults` judges the failures to be damage.
    private func damage(_ seconds: [Double]) -> [Double] {
        var faults = ReadFaults()
        return seconds.filter { faults.note(at: Instant(seconds: $0)) }
    }

    @Test("Three failures over a minute or more mean a lost sector; then the count starts again.")
    func lostSector() {
        #expect(damage([10, 40, 70, 71, 100, 131]) == [70, 131])
        #expect(damage([10, 20, 30, 40, 69.5, 71]) == [71])
    }

    @Test("A card that loses contact for a moment does not count as damaged.")
    func moment() {
        #expect(damage([10, 10.2, 10.4, 15, 20]) == [])
        #expect(damage([10, 100]) == [])
        #expect(damage([10, 20, 8000, 8010]) == [])
    }

    @Test("A single read error of a sector is not damage, and a write error never is.")
    func kinds() {
        #expect(error(266).isUnreadable && error(8202).isUnreadable)
        #expect(!error(266).isDamaged && !error(778).isUnreadable && !error(10).isUnreadable)
    }

    @Test("A read beyond the end of the file means that a part of the file is missing.")
    func truncated() {
        let error = error(522)
        #expect(error.isDamaged && !error.isUnreadable)
        #expect(error.description == "x: cannot be read (a part of the file is missing). The file is damaged.")
    }

    private func error(_ code: Int32) -> StoreError {
        StoreError(DatabaseError(resultCode: ResultCode(rawValue: code)), path: "x", doing: .read)
    }
}
