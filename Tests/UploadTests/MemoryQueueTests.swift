import Testing
import Contracts

@Suite("A queue in memory")
struct MemoryQueueTests {
    @Test("keeps the contract", arguments: DeliveryQueueContract.allCases)
    func contract(clause: DeliveryQueueContract) throws {
        #expect(try clause.violations { MemoryQueue($0) } == [])
    }
}
