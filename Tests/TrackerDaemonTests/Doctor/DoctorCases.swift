import TrackingOptions
import Hardware
import Quantities
import Tracking

@testable import Doctor

/// A fault that the doctor can find: its cause, and the expected finding.
struct DoctorCase: Sendable, CustomStringConvertible {
    let description: String
    /// Changes the facts about a van without faults.
    let happen: @Sendable (inout Facts) -> Void
    let check: String
    let grade: Finding.Grade
    let text: String
    let remedy: String

    init(
        _ description: String, _ check: String, grade: Finding.Grade = .fault, _ text: String, remedy: String,
        _ happen: @escaping @Sendable (inout Facts) -> Void
    ) {
        self.description = description
        self.happen = happen
        self.check = check
        self.grade = grade
        self.text = text
        self.remedy = remedy
    }

    static let all = accelerometer + lines + receiver + bluetooth + power + computer + network

    static let accelerometer = [
        DoctorCase(
            "another address than configured", "accelerometer",
            "/dev/i2c-1 address 0x18: no chip answers; LIS3DH answers at 0x19.",
            remedy:
                "Write `board: {base: van, accelerometer: {bus: /dev/i2c-1, chip: LIS3DH, address: 0x19}}`, or change the wiring of the chip's address pin."
        ) { $0.bus = .scanned(answers: [.init(0x19, "LIS3DH")], elsewhere: []) },
        DoctorCase(
            "another bus than configured", "accelerometer",
            "/dev/i2c-1 address 0x18: no chip answers; LIS3DH answers on /dev/i2c-3 at 0x19.",
            remedy:
                "Write `board: {base: van, accelerometer: {bus: /dev/i2c-3, chip: LIS3DH, address: 0x19}}`, or connect the chip to /dev/i2c-1."
        ) {
            let other = BusFacts.Bus("/dev/i2c-3", answers: [.init(0x19, "LIS3DH", "LIS2DH12")])
            $0.bus = .scanned(answers: [.init(0x40)], elsewhere: [.init("/dev/i2c-0"), other])
        },
        DoctorCase(
            "a bus that is not there, and the chip on another", "accelerometer",
            "/dev/i2c-1 does not exist; LIS3DH answers on /dev/i2c-3 at 0x18.",
            remedy: "Write `board: {base: van, accelerometer: {bus: /dev/i2c-3, chip: LIS3DH, address: 0x18}}`."
        ) { $0.bus = .absent(others: [.init("/dev/i2c-3", answers: [.init(0x18, "LIS3DH", "LIS2DH12")])]) },
        DoctorCase(
            "another chip on another bus", "accelerometer",
            "/dev/i2c-1 address 0x18: no chip answers (LIS3DH expected); ADXL345 answers on /dev/i2c-3 at 0x53.",
            remedy: "Write `board: {base: van, accelerometer: {bus: /dev/i2c-3, chip: ADXL345, address: 0x53}}`."
        ) { $0.bus = .scanned(answers: [], elsewhere: [.init("/dev/i2c-3", answers: [.init(0x53, "ADXL345")])]) },
        DoctorCase(
            "a chip that the kernel has", "accelerometer",
            "/dev/i2c-1 address 0x18: the kernel driver `st-accel-i2c` uses the chip.",
            remedy: "Remove the `dtoverlay` of this driver from config.txt, and reboot."
        ) { $0.bus = .scanned(answers: [.init(0x18, driver: "st-accel-i2c")], elsewhere: []) },
        DoctorCase(
            "a chip whose identity two models share", "accelerometer",
            "/dev/i2c-1 address 0x18: MPU-6050 or BMI160 answers (LIS3DH expected).",
            remedy: "Write `board: {base: van, accelerometer: {bus: /dev/i2c-1, chip: MPU-6050, address: 0x18}}`."
        ) { $0.bus = .scanned(answers: [.init(0x18, "MPU-6050", "BMI160")], elsewhere: []) },
        DoctorCase(
            "a bus that is not switched on", "accelerometer",
            "/dev/i2c-1 does not exist, and /dev contains no other I²C bus.",
            remedy:
                "Run `sudo modprobe i2c-dev` and install systemd/trackerd.modules-load; check that config.txt contains the line for this board (docs/wiring.md)."
        ) { $0.bus = .absent(others: []) },
        DoctorCase(
            "a bus of another number", "accelerometer",
            "/dev/i2c-1 does not exist; this computer has only /dev/i2c-0, /dev/i2c-3.",
            remedy:
                "Add the line for this board to config.txt (docs/wiring.md) and reboot, or set another `accelerometer.bus`."
        ) { $0.bus = .absent(others: [.init("/dev/i2c-0"), .init("/dev/i2c-3")]) },
        DoctorCase(
            "no permission for the bus", "accelerometer", "/dev/i2c-1 is not accessible to ada.",
            remedy:
                "Install udev/99-trackerd.rules, add a rule for this device if the file does not cover it, and reboot. Then run the doctor as the daemon's user: `sudo -u trackerd trackerd doctor`."
        ) { $0.bus = .forbidden },
        DoctorCase(
            "a bus that hangs", "accelerometer", "trackerd cannot use /dev/i2c-1 (Connection timed out).",
            remedy: "Check the wires SDA and SCL, and `bus` in the board file, then reboot."
        ) { $0.bus = .failing("Connection timed out") },
        DoctorCase(
            "another chip at the address", "accelerometer",
            "/dev/i2c-1 address 0x18: MMA8452Q answers (LIS3DH expected).",
            remedy: "Write `board: {base: van, accelerometer: {bus: /dev/i2c-1, chip: MMA8452Q, address: 0x18}}`."
        ) { $0.bus = .scanned(answers: [.init(0x18, "MMA8452Q")], elsewhere: []) },
        DoctorCase(
            "an unknown chip at the address", "accelerometer",
            "/dev/i2c-1 address 0x18: an unknown chip answers (LIS3DH expected).",
            remedy:
                "Set the bus and address of the accelerometer, or write `board: {base: van, accelerometer: none}`."
        ) { $0.bus = .scanned(answers: [.init(0x18)], elsewhere: []) },
        DoctorCase(
            "another chip at another address", "accelerometer",
            "/dev/i2c-1 address 0x18: no chip answers (LIS3DH expected); ADXL345 answers at 0x53.",
            remedy: "Write `board: {base: van, accelerometer: {bus: /dev/i2c-1, chip: ADXL345, address: 0x53}}`."
        ) { $0.bus = .scanned(answers: [.init(0x40), .init(0x53, "ADXL345")], elsewhere: []) },
        DoctorCase(
            "only strangers on the bus", "accelerometer",
            "/dev/i2c-1 address 0x18: no chip answers (LIS3DH expected); unknown chips answer at 0x40, 0x76.",
            remedy: "Check the chip's supply and its address pin."
        ) { $0.bus = .scanned(answers: [.init(0x40), .init(0x76)], elsewhere: []) },
        DoctorCase(
            "nobody on the bus", "accelerometer",
            "/dev/i2c-1 address 0x18: no chip answers (LIS3DH expected), and no other chip answers on this bus.",
            remedy:
                "Check the chip's supply and ground. Check that SDA and SCL are not swapped, and that both have pull-ups (docs/wiring.md)."
        ) { $0.bus = .scanned(answers: [], elsewhere: []) },
    ]

    static let lines = [
        DoctorCase(
            "an interrupt line in use by a program", "lines",
            "`accelerometer.interrupt`, soc GPIO4, is in use by `w1-gpio`.",
            remedy: "End that program, remove the line's overlay from config.txt, or use another line."
        ) { $0.lines[0].facts = .held(by: "w1-gpio", program: nil) },
        DoctorCase(
            "a line that the daemon uses and that has a fault", "lines",
            "`accelerometer.interrupt`: GPIO soc GPIO4: the line does not follow the pin.", remedy: "Connect INT1."
        ) {
            $0.lines[0].facts = .held(by: "trackerd", program: nil)
            $0.daemonFaults = ["GPIO soc GPIO4: the line does not follow the pin. Connect INT1."]
        },
        DoctorCase(
            "an interrupt wire that is not connected", "accelerometer", "GPIO soc GPIO4: the line is dead.",
            remedy:
                "Without this wire, write `board: {base: van, accelerometer: {interrupt: none}}`."
        ) { $0.wire = .faulty("GPIO soc GPIO4: the line is dead.") },
        DoctorCase(
            "a power-fail input that is active all the time", "lines",
            "`powerFail`, soc GPIO12, is active, but the supply does not fail.",
            remedy:
                "Check the comparator, its wire and `activeLow`, or write `powerFail: none` if nothing is connected."
        ) {
            let line = LineReference(chip: "soc", line: .name("GPIO12"))
            $0.lines = [ExaminedLine(key: "powerFail", line: line, facts: .free, isWronglyActive: true)]
        },
        DoctorCase(
            "a power line in use by a program", "lines",
            "`receiverPower.line`, soc GPIO18, is in use by `sensor`, the program python3 (process 812).",
            remedy: "End that program, remove the line's overlay from config.txt, or use another line."
        ) { $0.lines[1].facts = .held(by: "sensor", program: "python3 (process 812)") },
        DoctorCase(
            "a line in use by a consumer without a name", "lines",
            "`receiverPower.line`, soc GPIO18, is in use by an unnamed consumer.",
            remedy: "End that program, remove the line's overlay from config.txt, or use another line."
        ) { $0.lines[1].facts = .held(by: "", program: nil) },
        DoctorCase(
            "a chip that is not of this board", "lines",
            "`receiverPower.line`: no GPIO chip has the name soc; this computer has only pinctrl-rp1, gpio-brcmstb.",
            remedy:
                "Choose the right board (`board` in the configuration, or `--board`), or correct the chip in the board's file."
        ) { $0.lines[1].facts = .noChip(labels: ["pinctrl-rp1", "gpio-brcmstb"]) },
        DoctorCase(
            "a line that there is not", "lines",
            "`receiverPower.line`, soc GPIO18, does not exist. Did you mean `GPIO_18`?",
            remedy: "Run `gpioinfo` to list the names and numbers."
        ) { $0.lines[1].facts = .noLine(names: ["GPIO_18", "SPI_MISO"]) },
        DoctorCase(
            "no permission for the chip", "lines", "`receiverPower.line`, soc GPIO18, is not accessible to ada.",
            remedy:
                "Install udev/99-trackerd.rules, add a rule for this device if the file does not cover it, and reboot. Then run the doctor as the daemon's user: `sudo -u trackerd trackerd doctor`."
        ) { $0.lines[1].facts = .forbidden },
    ]

    static let receiver = [
        DoctorCase(
            "no gpsd", "receiver", "gpsd at localhost:2947 does not answer (Connection refused).",
            remedy:
                "Install gpsd and run `sudo systemctl enable --now gpsd.socket`, or set the address of gpsd in the board's `gpsd` or with `--gpsd`."
        ) { $0.receiver = .noGpsd(reason: "Connection refused") },
        DoctorCase(
            "gpsd without a device", "receiver", "gpsd is running but has no device.",
            remedy:
                "Add the receiver under DEVICES in /etc/default/gpsd and run `sudo systemctl restart gpsd`, or install udev/99-trackerd.rules, which adds /dev/gps0, and reboot."
        ) {
            $0.receiver = .noDevice(others: [])
            $0.lines = []
        },
        DoctorCase(
            "a receiver without supply, and no daemon to switch it on", "receiver", grade: .warning,
            "gpsd has no device: the receiver's supply is off while the daemon is not running.",
            remedy: "Start trackerd, run `trackerd locate`, and run the doctor again while that command waits."
        ) { $0.receiver = .noDevice(others: []) },
        DoctorCase(
            "a receiver that the daemon has switched off", "receiver", grade: .warning,
            "/dev/gps0 has sent nothing for 5 s: the daemon switches the receiver's supply off while the vehicle is parked.",
            remedy:
                "Run `trackerd locate`, and run the doctor again while that command waits. If the result is the same, check the receiver's supply, the switch, and the wire from the receiver's TX to the board's RX."
        ) {
            $0.receiver = .silent(device: "/dev/gps0", span: .seconds(5))
            let rail = $0.lines.firstIndex { $0.key == "receiverPower.line" }
            if let rail { $0.lines[rail].facts = .held(by: "trackerd", program: nil) }
        },
        DoctorCase(
            "gpsd with another device", "receiver", "gpsd does not use /dev/gps0; it uses /dev/ttyACM0.",
            remedy: "Write `board: {base: van, gpsd: {device: /dev/ttyACM0}}`."
        ) { $0.receiver = .noDevice(others: ["/dev/ttyACM0"]) },
        DoctorCase(
            "a device that gpsd may not open", "receiver", "gpsd cannot use /dev/gps0 (Permission denied).",
            remedy:
                "Run `sudo fuser /dev/gps0`: no program other than gpsd may have the device open. Check that cmdline.txt sets no serial console on the device, and that the user gpsd may open the device."
        ) { $0.receiver = .deviceFailing(device: "/dev/gps0", reason: "Permission denied") },
        DoctorCase(
            "a silent receiver", "receiver", "/dev/gps0 has sent nothing for 5 s.",
            remedy:
                "Check the receiver's supply and power line, and the wire from the receiver's TX to the board's RX; `gpsmon` shows the data that gpsd receives."
        ) {
            $0.receiver = .silent(device: "/dev/gps0", span: .seconds(5))
            $0.lines = []
        },
        DoctorCase(
            "a receiver without fix", "receiver", grade: .warning,
            "/dev/gps0 sends data but has no fix; it sees 7 satellites and uses 2.",
            remedy: "Wait a minute under the open sky; the first fix takes half a minute there."
        ) { $0.receiver = .searching(device: "/dev/gps0", used: 2, seen: 7) },
        DoctorCase(
            "a receiver without a date", "receiver",
            "/dev/gps0 reports positions, ±4 m, but trackerd cannot use them: they have no date, and no time server has set the clock.",
            remedy:
                "Let the receiver also send RMC or ZDA sentences, which contain the date, or connect the computer to a network, so that a time server sets its clock."
        ) { $0.receiver = .unusable(device: "/dev/gps0", .noDate, error: Metres(3.6)) },
        DoctorCase(
            "a receiver with a large error", "receiver",
            "/dev/gps0 reports positions, ±297 m, but trackerd cannot use them: their errors are above `accuracyLimit`.",
            remedy:
                "Give the antenna a clear view of the sky, and run the doctor again. If the error remains, raise `accuracyLimit`."
        ) { $0.receiver = .unusable(device: "/dev/gps0", .inaccurate, error: Metres(296.3)) },
        DoctorCase(
            "a receiver without an antenna", "receiver", grade: .warning,
            "/dev/gps0 sends data but reports no satellites.",
            remedy: "Check the antenna and its plug, and give the antenna a clear view of the sky."
        ) { $0.receiver = .searching(device: "/dev/gps0", used: 0, seen: 0) },
    ]
}
