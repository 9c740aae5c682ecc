import Hardware
import Motion
import Quantities
import Testing

// Only the module Devices can create some of these errors.
@testable import Devices

/// The texts of the faults that devices report while they run, in one place for review.
@Suite("The texts of device faults")
struct FaultWordingTests {
    @Test("A fault names its subject, the cause and the remedy.", arguments: lines + gpsd + scanner + sensors + others)
    func wording(fault: any Fault, text: String) {
        #expect(fault.description == text)
    }

    @Test("A device that works with limits is degraded, and a device with any other fault is out of service.")
    func severity() {
        #expect(ScannerError(adapter: "hci0", .shared).severity == .degraded)
        #expect(ScannerError(adapter: "hci0", .silent).severity == .outOfService)
        #expect(ChipSensorError.wakeLine(.noLine(Self.line)).severity == .degraded)
        #expect(ChipSensorError.silent(model: "LIS3DH").severity == .outOfService)
        #expect(RestSettingError(path: "/sys/a", reason: "b").severity == .degraded)
        #expect(LineError.noLine(Self.line).severity == .outOfService)
    }

    private static let line = LineReference(chip: "pinctrl-bcm2711", line: .name("GPIO27"))

    private static let lines: [(any Fault, String)] = [
        (
            LineError.noChip(line, present: ["pinctrl-rp1", "gpio-brcmstb@107d508500"]),
            "GPIO pinctrl-bcm2711 GPIO27: no GPIO chip has that label; the labels are pinctrl-rp1, gpio-brcmstb@107d508500. "
                + "Correct the board file."
        ),
        (
            LineError.noChip(line, present: []),
            "GPIO pinctrl-bcm2711 GPIO27: this computer has no GPIO chip. "
                + "Check that /dev/gpiochip0 exists, or remove the line from the board file."
        ),
        (
            LineError.noLine(LineReference(chip: "pinctrl-bcm2711", line: .offset(99))),
            "GPIO pinctrl-bcm2711 line 99: the chip has no such line. "
                + "Run `gpioinfo` to list the lines, and correct the board file."
        ),
        (
            LineError.busy(line, consumer: "spi0 CS0", program: nil),
            "GPIO pinctrl-bcm2711 GPIO27: the line is used by `spi0 CS0`. "
                + "End that program, or choose another line in the board file."
        ),
        (
            LineError.busy(line, consumer: "gpioset", program: "gpioset (process 812)"),
            "GPIO pinctrl-bcm2711 GPIO27: the line is used by `gpioset`, the program gpioset (process 812). "
                + "End that program, or choose another line in the board file."
        ),
        (
            LineError.busy(line, consumer: "", program: nil),
            "GPIO pinctrl-bcm2711 GPIO27: the line is used by a program without a name. "
                + "End that program, or choose another line in the board file."
        ),
        (
            LineError.forbidden(line, device: "/dev/gpiochip0"),
            "GPIO pinctrl-bcm2711 GPIO27: no permission for /dev/gpiochip0. "
                + "Install trackerd's udev rules, or add its user to the group `gpio`."
        ),
        (
            LineError.noEdges(line),
            "GPIO pinctrl-bcm2711 GPIO27: the line raises no interrupts and would miss changes. "
                + "Choose another line."
        ),
        (
            LineError.refused(line, operation: "to set it", cause: "No such device"),
            "GPIO pinctrl-bcm2711 GPIO27: the kernel refused to set it (No such device). "
                + "Run `sudo dmesg` and look for messages about the chip."
        ),
    ]

    private static let gpsd: [(any Fault, String)] = [
        (
            GpsdError.unreachable(GpsdAddress(), reason: "can't get host entry"),
            "gpsd at localhost:2947: no connection (can't get host entry). "
                + "Check that gpsd runs: `systemctl status gpsd.socket`."
        ),
        (
            GpsdError.closed(GpsdAddress(host: "car", port: 3000)),
            "gpsd at car:3000: gpsd closed the connection. If this repeats, see `journalctl -u gpsd`."
        ),
        (
            GpsdError.overlong(GpsdAddress()),
            "gpsd at localhost:2947: the server sent a line of more than 64 KiB, which gpsd never does. "
                + "Check which program listens there: `sudo ss -ltnp`."
        ),
        (
            GpsdError.silent(GpsdAddress()),
            "gpsd at localhost:2947: no report from any receiver for a minute. "
                + "Run `gpspipe -w` to see what gpsd reports."
        ),
        (
            GpsdError.silent(GpsdAddress(device: "/dev/gps0")),
            "gpsd at localhost:2947: no report from /dev/gps0 for a minute. "
                + "Run `gpspipe -w` to see what gpsd reports."
        ),
        (
            GpsdError.noDevice(GpsdAddress(device: "/dev/gps9"), others: ["/dev/gps0", "/dev/ttyACM0"]),
            "gpsd at localhost:2947: gpsd does not use /dev/gps9; it uses /dev/gps0, /dev/ttyACM0. "
                + "Write `board: {gpsd: {device: /dev/gps0}}`."
        ),
        (
            GpsdError.noDevice(GpsdAddress(device: "/dev/gps9"), others: []),
            "gpsd at localhost:2947: gpsd is running but has no device. "
                + "Add the receiver under DEVICES in /etc/default/gpsd and run `sudo systemctl restart gpsd`, or install "
                + "udev/99-trackerd.rules, which adds /dev/gps0, and reboot."
        ),
        (
            GpsdControlError.absent("/run/gpsd.sock", reason: "Permission denied"),
            "/run/gpsd.sock: trackerd cannot send commands to gpsd (Permission denied). "
                + "Run gpsd with `-F /run/gpsd.sock`, and let trackerd read and write the socket (systemd/gpsd.socket.d)."
        ),
        (GpsdControlError.silent("/run/gpsd.sock"), "/run/gpsd.sock: gpsd does not answer. See `journalctl -u gpsd`."),
        (
            GpsdControlError.refused("/run/gpsd.sock", device: "/dev/gps0"),
            "/run/gpsd.sock: gpsd cannot send to /dev/gps0. "
                + "Run gpsd with `-n` and without `-b`, and check which devices it lists."
        ),
    ]

    private static let scanner: [(any Fault, String)] = [
        (
            ScannerError(adapter: "hci0", .absent),
            "hci0: there is no such Bluetooth adapter. Run `bluetoothctl list` to see which adapters exist."
        ),
        (
            ScannerError(adapter: "hci0", .blocked),
            "hci0: the Bluetooth adapter is switched off by rfkill. Switch it on with `sudo rfkill unblock bluetooth`."
        ),
        (
            ScannerError(adapter: "hci0", .notPermitted),
            "hci0: scanning needs CAP_NET_RAW. Install the drop-in `bluetooth.conf`, which grants it to the daemon (docs/install.md)."
        ),
        (
            ScannerError(adapter: "hci1", .off),
            "hci1: the Bluetooth adapter is off, and trackerd has no permission to switch it on. "
                + "Switch it on with `sudo systemctl start trackerd-bluetooth@hci1`."
        ),
        (
            ScannerError(adapter: "hci0", .taken),
            "hci0: another program uses the Bluetooth adapter exclusively. End that program."
        ),
        (
            ScannerError(adapter: "hci0", .noLowEnergy),
            "hci0: the adapter has no Bluetooth Low Energy and cannot receive beacons. Use an adapter of Bluetooth 4.0 or later."
        ),
        (
            ScannerError(adapter: "hci0", .down),
            "hci0: the Bluetooth adapter was switched off. "
                + "Switch it on with `sudo systemctl start trackerd-bluetooth@hci0`. If it keeps going off, see `journalctl -u bluetooth`."
        ),
        (
            ScannerError(adapter: "hci0", .unplugged),
            "hci0: the Bluetooth adapter was unplugged, or reset itself; scanning resumes when it is back."
        ),
        (
            ScannerError(adapter: "hci0", .silent),
            "hci0: the Bluetooth adapter does not answer. "
                + "If this lasts, unplug it or restart the computer; `sudo dmesg` may show why."
        ),
        (
            ScannerError(adapter: "hci0", .shared),
            "hci0: another program scans too; its settings decide how often beacons are received. "
                + "End that scan; in `bluetoothctl`, type `scan off`."
        ),
        (
            ScannerError(adapter: "hci0", .refused(status: 17)),
            "hci0: the Bluetooth adapter refuses to scan for beacons (HCI status 17). Try another adapter."
        ),
        (
            ScannerError(adapter: "hci0", .failed(reason: "Cannot allocate memory")),
            "hci0: the Bluetooth adapter cannot be used (Cannot allocate memory). See `sudo dmesg`."
        ),
    ]

    private static let bus = BusError("/dev/i2c-1 address 0x18", .noAnswer)

    private static let sensors: [(any Fault, String)] = [
        (
            bus,
            "/dev/i2c-1 address 0x18: no chip answers. "
                + "Check the wiring, or run `sudo -u trackerd trackerd doctor` to see which chips answer."
        ),
        (
            BusError("/dev/i2c-1 address 0x18", .busy),
            "/dev/i2c-1 address 0x18: the bus is busy. "
                + "Check for a short circuit, and for another program that uses the bus."
        ),
        (
            BusError("/dev/i2c-1 address 0x18", .gone),
            "/dev/i2c-1 address 0x18: the bus has disappeared. "
                + "Run `sudo -u trackerd trackerd doctor`; docs/wiring.md describes how to enable the bus."
        ),
        (
            BusError("/dev/i2c-1 address 0x18", .forbidden),
            "/dev/i2c-1 address 0x18: this user has no permission to use the bus. "
                + "Install trackerd's udev rules, or add its user to the group `i2c`."
        ),
        (
            BusError("/dev/i2c-1 address 0x18", .taken),
            "/dev/i2c-1 address 0x18: a kernel driver uses the chip. "
                + "Remove its `dtoverlay` from config.txt and restart the computer."
        ),
        (
            BusError("/dev/i2c-1 address 0x18", .other("Invalid argument")),
            "/dev/i2c-1 address 0x18: the transfer was refused (Invalid argument). Run `sudo -u trackerd trackerd doctor`."
        ),
        (
            ChipSensorError.chip(model: "LIS3DH", .bus(bus)),
            "LIS3DH at /dev/i2c-1 address 0x18: no chip answers. "
                + "Check the wiring, or run `sudo -u trackerd trackerd doctor` to see which chips answer."
        ),
        (
            ChipSensorError.chip(model: "LIS3DH", .foreign(model: "LIS3DH", expected: [0x33], found: 0x44)),
            "accelerometer LIS3DH: the chip is not a LIS3DH: its identity is 0x44, not 0x33. "
                + "Run `sudo -u trackerd trackerd doctor` to see which chip it is."
        ),
        (
            ChipSensorError.repeating(model: "LIS3DH"),
            "accelerometer LIS3DH: the chip repeats the same sample; trackerd sets it up again. "
                + "If this repeats, replace the accelerometer."
        ),
        (
            ChipSensorError.silent(model: "LIS3DH"),
            "accelerometer LIS3DH: the chip returns no samples although it was set up to collect them. "
                + "Check that its supply is steady."
        ),
        (
            ChipSensorError.wakeLine(.noEdges(line)),
            "GPIO pinctrl-bcm2711 GPIO27: the line raises no interrupts and would miss changes; "
                + "the chip is polled once a second, which draws more current. Choose another line."
        ),
        (
            ChipSensorError.wakeLineStuck(line),
            "GPIO pinctrl-bcm2711 GPIO27: the line is active although the accelerometer has detected no motion. "
                + "Check the wire, and `activeLow` in the board file."
        ),
        (
            ChipSensorError.wakeLineDead(line),
            "GPIO pinctrl-bcm2711 GPIO27: the line does not follow the accelerometer's interrupt pin; the chip is polled "
                + "once a second, which draws more current. "
                + "Connect INT1 to this line, or write `interrupt: none` if INT1 is not connected."
        ),
        (
            EndlessLossError(line: line),
            "GPIO pinctrl-bcm2711 GPIO27: the power-fail input reports a failing supply, but the supply lasts; "
                + "uploads continue. Check the comparator, its wire, and `activeLow` of `powerFail`, or write "
                + "`powerFail: none` if nothing is connected."
        ),
        (
            BatteryMonitorError.foreign(subject: "/dev/i2c-1 address 0x40", found: "an INA3221"),
            "/dev/i2c-1 address 0x40: an INA3221 answers instead of an INA219 or INA226, so the battery is not monitored. "
                + "Fit an INA219 or an INA226, or write `supplyMonitor: none`."
        ),
        (
            BatteryMonitorError.implausible(subject: "/dev/i2c-1 address 0x40", Volts(5.030640000000001)),
            "/dev/i2c-1 address 0x40: the monitor measures 5.03 V, which no vehicle's battery has, so the battery is not "
                + "monitored. Check the wire to the battery, its fuse and ground, and `divider`."
        ),
        (
            BatteryMonitorError.bus(bus),
            "/dev/i2c-1 address 0x18: no chip answers, so the battery is not monitored. "
                + "Check the wiring, or run `sudo -u trackerd trackerd doctor` to see which chips answer."
        ),
    ]

    private static let others: [(any Fault, String)] = [
        (
            LEDError(folder: "/sys/class/leds/ACT", reason: "Permission denied"),
            "/sys/class/leds/ACT: the light cannot be switched (Permission denied). "
                + "Run `ls /sys/class/leds` to list the lights, and check that trackerd's udev rules are installed."
        ),
        (
            RestSettingError(path: "/sys/governor", reason: "Permission denied"),
            "/sys/governor: the setting for a parked vehicle cannot be changed (Permission denied). "
                + "Install trackerd's tmpfiles.d and udev rules, or remove the setting from the board file."
        ),
        (
            HaltError.noAlarm(file: "/sys/class/rtc/rtc0/wakealarm", reason: "No such file or directory"),
            "/sys/class/rtc/rtc0/wakealarm: the alarm cannot be set (No such file or directory); "
                + "the board is not halted. Check that the board has a clock with an alarm, and install trackerd's tmpfiles.d rules."
        ),
        (
            HaltError.notRun(command: "systemctl poweroff", reason: "No such file or directory"),
            "systemctl poweroff: the command cannot be run (No such file or directory); the board is not halted."
        ),
        (
            HaltError.refused(command: "systemctl poweroff"),
            "systemctl poweroff: the command was refused or failed; the board is not halted. "
                + "Install trackerd's polkit rules, and see the system's log."
        ),
    ]
}
