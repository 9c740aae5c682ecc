import Hardware
import Testing

@testable import Configuration

@Suite("A line of an I²C bus in use")
struct BusLineTests {
    private func read(_ text: String) throws -> BoardDescription {
        let configuration = try Configuration.parse("device: van\nboard: \(text)\n", file: "c.yaml")
        return try BoardFile.read(named: nil, in: [BoardFileTests.folder], entry: configuration.board)
    }

    @Test(
        "A line that is data or clock of a bus in use is refused for any other key, by number and by name.",
        arguments: [
            (
                "{base: pi4, accelerometer: {bus: /dev/i2c-1}}", "accelerometer.interrupt", "accelerometer.bus",
                "clock line of /dev/i2c-1"
            ),
            (
                "{base: pi3, supplyMonitor: {ina219: {bus: /dev/i2c-1, divider: 3}}}", "accelerometer.interrupt",
                "supplyMonitor.ina219.bus", "clock"
            ),
            ("{base: pi5, ignition: {line: GPIO2}}", "ignition", "accelerometer.bus", "data line of /dev/i2c-1"),
            ("{base: pi5, powerFail: {line: 3}}", "powerFail", "accelerometer.bus", "clock"),
            (
                "{base: zero2w, accelerometer: {bus: /dev/i2c-1, interrupt: none}, wakeUp: none, private: {chip: pinctrl-bcm2835, line: SDA1}}",
                "private", "accelerometer.bus", "data"
            ),
            (
                "{base: cm4, accelerometer: {bus: /dev/i2c-1, interrupt: none}, wakeUp: none, receiverPower: {line: {line: 3}}}",
                "receiverPower.line", "accelerometer.bus", "clock"
            ),
            (
                "{base: bare, accelerometer: {bus: /dev/i2c-0, chip: LIS3DH}, powerFail: {chip: pinctrl-rp1, line: ID_SCL}}",
                "powerFail", "accelerometer.bus", "clock line of /dev/i2c-0"
            ),
            (
                "{base: pi4, accelerometer: none, wakeUp: none, header: {data: 2, clock: 3}, supplyMonitor: {ina219: {bus: /dev/i2c-3, divider: 3}}, private: {chip: pinctrl-bcm2711, line: GPIO5}}",
                "private", "supplyMonitor.ina219.bus", "clock line of /dev/i2c-3"
            ),
        ])
    func refused(text: String, key: String, bus: String, role: String) {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        let message = error?.description ?? ""
        for part in ["\(key)`", "\(bus)`", role] { #expect(message.contains(part), "\(message)") }
    }

    @Test(
        "A line of a bus that nothing uses, and the section for pins 3 and 5, are valid.",
        arguments: [
            "{base: pi4, accelerometer: {bus: /dev/i2c-1, interrupt: {line: GPIO27, activeLow: false}}, wakeUp: none, header: {data: 2, clock: 3}}",
            "{base: pi3, accelerometer: none, wakeUp: none, ignition: {line: 2}}",
            "{base: bare, accelerometer: {bus: /dev/i2c-1, chip: LIS3DH}, powerFail: {chip: expander, line: 2}}",
            "pi3", "pi4", "pi5", "cm4", "zero2w",
        ])
    func accepted(text: String) { #expect(throws: Never.self) { try read(text) } }

    @Test(
        "The boot lines of the header set the lines of a bus.",
        arguments: [
            ("dtoverlay=i2c4,pins_6_7", "/dev/i2c-4", 6, 7),
            ("dtoverlay=i2c-gpio,i2c_gpio_sda=23,i2c_gpio_scl=24,bus=7", "/dev/i2c-7", 23, 24),
        ])
    func bootLines(line: String, bus: String, data: Int, clock: Int) {
        let header = HeaderWiring(chip: "soc", bootLines: ["enable_uart=1", line])
        let lines = BusLines(of: bus, on: "soc", header)
        #expect(lines?.data == data && lines?.clock == clock)
        #expect(BusLines(of: bus, on: "other", header) == nil)
        #expect(BusLines(of: "/dev/i2c-5", on: "soc", header) == nil)
    }
}
