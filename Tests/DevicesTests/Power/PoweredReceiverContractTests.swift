import Contracts
import Devices
import Hardware
import Simulation
import Testing

@Suite("The contract of a receiver with a switched supply")
struct PoweredReceiverContractTests {
    @Test("A receiver with a switched supply fulfils the receiver contract.")
    func contract() throws {
        let violations = try violationsOfReceiverContract {
            let bench = try MockBench { receiver in
                let wiring = ReceiverPowerWiring(
                    kind: .rail(PowerBench.supply), powerUpTime: .milliseconds(500), transmit: PowerBench.transmit)
                return PoweredReceiver(receiver, wiring, device: nil, on: SimulatedLines())
            }
            // A receiver that may be on from before the start is switched off first.
            bench.settle()
            return bench
        }
        #expect(violations == [])
    }
}
