import Contracts
import Motion
import TestSupport
import Testing

@Suite("Every accelerometer chip")
struct ChipContractTests {
    @Test("Every chip fulfils the chip contract.", arguments: Accelerometers.names)
    func contract(model: String) throws {
        let chip = try #require(Accelerometers.named(model))
        let make = try #require(FakeSilicons.rows.first { $0.model == model }?.make)
        let violations = violationsOfChipContract(of: chip) { FakeChipBench(FakeChip(make)) }
        #expect(violations == [])
    }

    @Test("Every chip fulfils the chip contract with transfers of 32 bytes.", arguments: Accelerometers.names)
    func shortTransfers(model: String) throws {
        let chip = try #require(Accelerometers.named(model))
        let make = try #require(FakeSilicons.rows.first { $0.model == model }?.make)
        let violations = violationsOfChipContract(of: chip) { FakeChipBench(FakeChip(make), maximumBlockLength: 32) }
        #expect(violations == [])
    }
}
