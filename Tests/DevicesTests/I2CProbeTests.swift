import Devices
import Hardware
import Testing

@Suite("The doctor's scan of an I²C bus")
struct I2CProbeTests {
    @Test("A bus that does not exist is reported as absent.")
    func absent() {
        guard case .absent = facts("/dev/i2c-250") else {
            Issue.record("\(facts("/dev/i2c-250"))")
            return
        }
    }

    @Test("A device that is not an I²C bus is reported as failing, not as a bus without an answering chip.")
    func noBus() {
        #expect(facts("/dev/null") == .failing("it is not an I²C bus, or its adapter has disappeared"))
    }

    private func facts(_ path: String) -> BusFacts {
        I2CProbe().bus(of: AccelerometerWiring(bus: path, model: "LIS3DH", address: 0x18))
    }
}
