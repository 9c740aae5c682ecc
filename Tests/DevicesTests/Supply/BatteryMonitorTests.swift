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
    private(set) var writes: [[UInt8]] = []

    func read(_ register: UInt8, count: Int) throws(BusError) -> [UInt8] {
        try answer()
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
