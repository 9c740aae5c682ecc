import Contracts
import Motion
import TestSupport
import Testing

@Suite("Every accelerometer chip")
struct ChipContractTests {
    @Test("keeps the contract of chips", arguments: Accelerometers.names)
    func contract(model: String) throws {
        let chip = try #require(Accelerometers.named(model))
        let make = try #require(FakeSilicons.rows.first { $0.model == model }?.make)
        let violations = violationsOfChipContract(of: chip) { FakeChipBench(FakeChip(make)) }
        #expect(violations == [])
    }

    @Test("keeps it on an adapter that does 32 bytes a transfer", arguments: Accelerometers.names)
    func shortTransfers(model: String) throws {
        let chip = try #require(Accelerometers.named(model))
        let make = try #require(FakeSilicons.rows.first { $0.model == model }?.make)
        let violations = violationsOfChipContract(of: chip) { FakeChipBench(FakeChip(make), longestBlock: 32) }
        #expect(violations == [])
    }
}
