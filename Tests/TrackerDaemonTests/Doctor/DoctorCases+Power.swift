import Hardware
import Quantities

@testable import Doctor

extension DoctorCase {
    private static let tmpfiles =
        "Install systemd/trackerd.tmpfiles and udev/99-trackerd.rules, add a line for this file if neither names it, and reboot. Then run the doctor as the daemon's user: `sudo -u trackerd trackerd doctor`."
    private static let gpsdRemedy =
        "Write `GPSD_OPTIONS=\"-n\"` in /etc/default/gpsd, then run `sudo systemctl restart gpsd`."

    private static func monitor(
        _ description: String, grade: Finding.Grade = .fault, divider: Double = 1, _ text: String, remedy: String,
        _ found: MonitorFacts
    ) -> DoctorCase {
        DoctorCase(description, "battery", grade: grade, text, remedy: remedy) {
            $0.board?.supply.monitor = SupplyWiring.Monitor(bus: "/dev/i2c-1", divider: divider)
            $0.monitor = found
        }
    }

    static let power = [
        monitor(
            "no battery monitor", "/dev/i2c-1 address 0x40: no chip answers (INA219 expected).",
            remedy:
                "Check the INA219's supply, SDA, SCL and address, or write `board: {base: van, supplyMonitor: none}`.",
            .absent
        ),
        monitor(
            "a battery that is not connected",
            "/dev/i2c-1 address 0x40: the INA219 measures 0.0 V, which no vehicle's battery has.",
            remedy:
                "Connect the battery, behind the fuse, to the divider before the INA219's terminal VIN-, and connect the INA219's ground to the vehicle's ground.",
            .measures(Volts(0))),
        monitor(
            "another chip of the same maker",
            "/dev/i2c-1 address 0x40: an INA3221 answers (INA219 or INA226 expected).",
            remedy: "Fit an INA219 or an INA226, or write `board: {base: van, supplyMonitor: none}`.",
            .foreign("an INA3221")),
        monitor(
            "a battery of 24 V on a monitor without divider",
            "/dev/i2c-1 address 0x40: the INA219 measures 28.1 V, but it and its divider tolerate at most 26 V.",
            remedy:
                "Disconnect the INA219, fit a voltage divider, and write the divider's ratio, such as `supplyMonitor: {ina219: {divider: 3}}`.",
            .measures(Volts(28.1))),
        monitor(
            "a battery of 12 V on a monitor without divider",
            "/dev/i2c-1 address 0x40: the battery has 12.6 V, so the vehicle's supply reaches 35 V if the battery is disconnected during charging. The INA219 and its divider tolerate 26 V.",
            remedy:
                "Disconnect the INA219, fit a divider of 20 kΩ and 10 kΩ, and write `supplyMonitor: {ina219: {divider: 3}}`.",
            .measures(Volts(12.6))),
        monitor(
            "a battery of 24 V on a divider for 12 V", divider: 2,
            "/dev/i2c-1 address 0x40: the battery has 25.2 V, so the vehicle's supply reaches 58 V if the battery is disconnected during charging. The INA219 and its divider tolerate 52 V.",
            remedy:
                "Disconnect the INA219, fit a divider of 20 kΩ and 10 kΩ, and write `supplyMonitor: {ina219: {divider: 3}}`.",
            .measures(Volts(25.2))),
        monitor(
            "a battery monitor on a bus that hangs",
            "/dev/i2c-1 address 0x40: trackerd cannot read the INA219 (the bus is busy).",
            remedy: "Check SDA and SCL, then reboot.", .failing("the bus is busy")),
        DoctorCase(
            "a setting at rest that does not exist", "files",
            "the file in `atRest`, /sys/class/leds/PWR/brightness, does not exist.",
            remedy: "Correct the path, or remove the entry from `atRest`."
        ) { $0.files = [ExaminedFile(purpose: .atRest, path: "/sys/class/leds/PWR/brightness", facts: .missing)] },
        DoctorCase(
            "a light that may not be set", "files",
            "ada cannot write to the file of the indicator light, /sys/class/leds/ACT/brightness.", remedy: tmpfiles
        ) { $0.files = [ExaminedFile(purpose: .light, path: "/sys/class/leds/ACT/brightness", facts: .forbidden)] },
        DoctorCase(
            "a board without a clock that wakes it", "files",
            "the file of the clock's alarm, /sys/class/rtc/rtc0/wakealarm, does not exist.",
            remedy:
                "Fit a clock with an alarm, or set another `wakeUp`; without an alarm, trackerd does not halt the board."
        ) { $0.files = [ExaminedFile(purpose: .alarm, path: "/sys/class/rtc/rtc0/wakealarm", facts: .missing)] },
        DoctorCase(
            "no right to halt the board", "halting", "ada has no permission to halt the board.",
            remedy:
                "Install systemd/trackerd.polkit-rules as /usr/share/polkit-1/rules.d/50-trackerd.rules, then run `sudo -u trackerd trackerd doctor`."
        ) { $0.haltRight = .forbidden },
        DoctorCase(
            "a login manager that does not answer", "halting", grade: .warning,
            "the system does not report whether trackerd has permission to halt the board.",
            remedy:
                "Run `busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager CanPowerOff`; the answer should be `yes`."
        ) { $0.haltRight = .unknown },
        DoctorCase(
            "a gpsd that closes the receiver", "gpsd",
            "gpsd runs without `-n` and closes the receiver while no client listens, so `kind: ubx` cannot wake the receiver.",
            remedy: gpsdRemedy
        ) { $0.gpsdOptions = ["-G"] },
        DoctorCase(
            "a gpsd that sends nothing", "gpsd",
            "gpsd runs with `-b` and sends nothing to the receiver, so `kind: ubx` cannot wake the receiver.",
            remedy: gpsdRemedy
        ) { $0.gpsdOptions = ["-n", "-b"] },
        DoctorCase(
            "a boot loader that ignores GPIO3", "wake-up",
            "WAKE_ON_GPIO is 0 in the boot EEPROM, so the accelerometer cannot boot the halted board.",
            remedy: "Run `sudo rpi-eeprom-config -e`, write `WAKE_ON_GPIO=1`, and reboot."
        ) {
            $0.board?.wakeUp = .line
            $0.bootSettings = ["WAKE_ON_GPIO": "0"]
        },
        DoctorCase(
            "a Pi 5 that draws current after a halt", "wake-up", grade: .warning,
            "POWER_OFF_ON_HALT is not 1 in the boot EEPROM, so the halted board draws more than a watt.",
            remedy: "Run `sudo rpi-eeprom-config -e`, write `POWER_OFF_ON_HALT=1`, and reboot."
        ) {
            $0.board?.wakeUp = .clock
            $0.board?.header = HeaderWiring(chip: "pinctrl-rp1")
            $0.bootSettings = ["BOOT_UART": "0"]
        },
    ]
}
