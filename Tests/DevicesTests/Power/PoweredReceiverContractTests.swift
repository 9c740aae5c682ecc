import Contracts
import Devices
import Hardware
import TestSupport
import Testing

@Suite("A receiver with a switched supply, before a mocked gpsd")
struct PoweredReceiverContractTests {
    @Test("does what every receiver does")
    func contract() throws {
        let violations = try violationsOfReceiverContract {
            let bench = try MockBench { receiver in
                let wiring = ReceiverPowerWiring(
                    kind: .rail(PowerBench.supply), powerUpTime: .milliseconds(500), transmit: PowerBench.transmit)
                return PoweredReceiver(receiver, wiring, device: nil, on: SimulatedLines())
            }
            // What may have been on before the program started is switched off first.
            bench.settle()
            return bench
        }
        #expect(violations == [])
    }
}
