import Devices
import Hardware
import Motion
import Quantities
import Testing
import Tracking

@Suite("The battery monitor")
struct BatteryMonitorTests {
    private let chip = ScriptedINA219()

    @Test("The monitor reports volts: 0x5D98 of the data sheet's example is 11.98 V.")
    func measures() {
        chip.busVoltage = [0x5D, 0x98]
        let monitor = BatteryMonitor(on: chip)
        #expect(monitor.advance(at: Instant(seconds: 1)).isEmpty)
        #expect(chip.writes == [[0x00, 0x21, 0x9A]])
        #expect(monitor.advance(at: Instant(seconds: 1.001)).isEmpty)
        let events = monitor.advance(at: Instant(seconds: 1.002))
        guard case .supply(let volts)? = events.first else { return #expect(Bool(false), "no voltage was reported") }
        #expect((volts.value - 11.98).magnitude < 0.001)
    }

    @Test("The monitor multiplies by the ratio of its voltage divider.")
    func divided() {
        chip.busVoltage = [0x5D, 0x98]
        let monitor = BatteryMonitor(on: chip, divider: 2)
        _ = monitor.advance(at: Instant(seconds: 1))
        guard case .supply(let volts)? = monitor.advance(at: Instant(seconds: 1.002)).first else {
            return #expect(Bool(false), "no voltage was reported")
        }
        #expect((volts.value - 23.96).magnitude < 0.001)
    }

    @Test("The monitor sleeps for half a minute after each measurement.")
    func sleeps() {
        let monitor = BatteryMonitor(on: chip)
        _ = monitor.advance(at: Instant(seconds: 1)) + monitor.advance(at: Instant(seconds: 1.002))
        #expect(monitor.wait == Wait(deadline: Instant(seconds: 31.002)))
        #expect(monitor.advance(at: Instant(seconds: 20)).isEmpty)
        #expect(chip.writes.count == 1)
    }

    @Test("An INA226 is recognised by its identity: 0x1068 of 1.25 mV behind a divider of 3 is 15.75 V.")
    func ina226() {
        chip.identity = [0x5449, 0x2260]
        chip.busVoltage = [0x10, 0x68]
        let monitor = BatteryMonitor(on: chip, divider: 3)
        _ = monitor.advance(at: Instant(seconds: 1))
        #expect(chip.writes == [[0x00, 0x41, 0x22]])
        guard case .supply(let volts)? = monitor.advance(at: Instant(seconds: 1.002)).first else {
            return #expect(Bool(false), "no voltage was reported")
        }
        #expect((volts.value - 15.75).magnitude < 0.001)
    }

    @Test("Another chip of the same maker is named, and not read.")
    func foreign() {
        chip.identity = [0x5449, 0x3220]
        let monitor = BatteryMonitor(on: chip)
        #expect(monitor.advance(at: Instant(seconds: 1)).isEmpty)
        #expect(monitor.fault?.description.contains("an INA3221 answers") == true)
        #expect(chip.writes.isEmpty)
    }

    @Test(
        "A voltage that no vehicle has is a fault of the monitor and is not reported, until the voltage is right again.",
        arguments: [(0x00, 0x02), (0x00, 0xA2), (0x13, 0x8A), (0xFF, 0xFF)])
    func implausible(high: UInt8, low: UInt8) {
        chip.busVoltage = [high, low]
        let monitor = BatteryMonitor(on: chip, divider: 2, plausible: PowerPolicy().plausible)
        #expect((monitor.advance(at: Instant(seconds: 1)) + monitor.advance(at: Instant(seconds: 1.002))).isEmpty)
        #expect(monitor.fault?.description.contains("the monitor measures") == true)
        chip.busVoltage = [0x5D, 0x98]
        _ = monitor.advance(at: Instant(seconds: 32))
        #expect(monitor.advance(at: Instant(seconds: 32.002)).count == 1)
        #expect(monitor.fault == nil)
    }

    @Test("A monitor that does not answer is a fault, and is tried again with growing pauses.")
    func gone() {
        let monitor = BatteryMonitor(on: chip)
        chip.isGone = true
        #expect(monitor.advance(at: Instant(seconds: 1)).isEmpty)
        #expect(monitor.fault?.description.contains("the battery is not monitored") == true)
        #expect(monitor.wait == Wait(deadline: Instant(seconds: 2)))
        _ = monitor.advance(at: Instant(seconds: 2))
        #expect(monitor.wait == Wait(deadline: Instant(seconds: 4)))
        chip.isGone = false
        _ = monitor.advance(at: Instant(seconds: 4)) + monitor.advance(at: Instant(seconds: 4.002))
        #expect(monitor.fault == nil)
    }
}

private final class ScriptedINA219: RegisterBus {
    var busVoltage: [UInt8] = [0, 0]
    var isGone = false
    /// The words of the registers 0xFE and 0xFF.
    var identity = [0, 0]
    private(set) var writes: [[UInt8]] = []

    func read(_ register: UInt8, count: Int) throws(BusError) -> [UInt8] {
        try answer()
        guard register < 0xFE else {
            let word = identity[Int(register) - 0xFE]
            return [UInt8(word >> 8), UInt8(word & 0xFF)]
        }
        return register == 0x02 && count == 2 ? busVoltage : []
    }

    func write(_ bytes: [UInt8], to register: UInt8) throws(BusError) {
        try answer()
        writes.append([register] + bytes)
    }

    private func answer() throws(BusError) {
        if isGone { throw BusError("/dev/i2c-1 address 0x40", .noAnswer) }
    }
}
