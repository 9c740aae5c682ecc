import Configuration
import Hardware
import Quantities
import Tracking

extension Check {
    package static let battery = Check("battery") { facts in
        guard let board = facts.board, let wiring = board.supply.monitor, let found = facts.monitor else { return [] }
        let place = wiring.place
        switch found {
        case .measures(let voltage) where voltage < board.power.plausible.lowerBound:
            return .fault(
                "\(place): the INA219 measures \(voltage.rounded), which no vehicle's battery has.",
                Finding.connectBattery)
        case .measures(let voltage) where voltage >= wiring.maximum:
            return .fault(
                "\(place): the INA219 measures \(voltage.rounded), but it and its divider tolerate at most \(Int(wiring.maximum.value)) V.",
                "Disconnect the INA219, fit a voltage divider, and write the divider's ratio, such as `supplyMonitor: {ina219: {divider: 3}}`."
            )
        case .measures(let voltage)
        where !board.power.measuresCells && wiring.maximum < SupplyWiring.Monitor.loadDump(at: voltage):
            let dump = Int(SupplyWiring.Monitor.loadDump(at: voltage).value)
            return .fault(
                "\(place): the battery has \(voltage.rounded), so the vehicle's supply reaches \(dump) V if the battery is disconnected during charging. The INA219 and its divider tolerate \(Int(wiring.maximum.value)) V.",
                "Disconnect the INA219, fit a divider of 20 kΩ and 10 kΩ, and write `supplyMonitor: {ina219: {divider: 3}}`."
            )
        case .measures(let voltage): return .ok("\(place): the battery has \(voltage.rounded).")
        case .foreign(let chip):
            return .fault(
                "\(place): \(chip) answers (INA219 or INA226 expected).",
                "Fit an INA219 or an INA226, or write `\(facts.section(BoardChange("supplyMonitor", "none")))`.")
        case .absent:
            return .fault(
                "\(place): no chip answers (INA219 expected).",
                "Check the INA219's supply, SDA, SCL and address, or write `\(facts.section(BoardChange("supplyMonitor", "none")))`."
            )
        case .forbidden:
            return .fault("\(wiring.bus) is not accessible to \(facts.user?.name ?? "this user").", access)
        case .failing(let reason):
            return .fault("\(place): trackerd cannot read the INA219 (\(reason)).", "Check SDA and SCL, then reboot.")
        }
    }
}

extension Check {
    package static let files = Check("files") { facts in
        facts.files.map { judge($0, user: facts.user?.name ?? "this user") }
    }

    private static func judge(_ file: ExaminedFile, user: String) -> Finding {
        let subject = "\(file.purpose.title), \(file.path)"
        switch file.facts {
        case .usable: return .ok("\(user) can write to \(subject).")
        case .missing: return .fault("\(subject), does not exist.", file.purpose.remedy)
        case .forbidden:
            return .fault(
                "\(user) cannot write to \(subject).",
                "Install systemd/trackerd.tmpfiles and udev/99-trackerd.rules, add a line for this file if neither names it, and reboot. Then run the doctor as the daemon's user: `sudo -u trackerd trackerd doctor`."
            )
        }
    }
}

extension ExaminedFile.Purpose {
    fileprivate var title: String {
        switch self {
        case .atRest: "the file in `atRest`"
        case .light: "the file of the indicator light"
        case .alarm: "the file of the clock's alarm"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .atRest: "Correct the path, or remove the entry from `atRest`."
        case .light: "Run `ls /sys/class/leds`, and set one of these LEDs as `indicator: {led: …}`."
        case .alarm:
            "Fit a clock with an alarm, or set another `wakeUp`; without an alarm, trackerd does not halt the board."
        }
    }
}

extension Check {
    /// gpsd must run with options that let the daemon switch a u-blox receiver to standby and wake it.
    package static let gpsd = Check("gpsd") { facts in
        guard let options = facts.gpsdOptions else { return [] }
        let remedy = "Write `GPSD_OPTIONS=\"-n\"` in /etc/default/gpsd, then run `sudo systemctl restart gpsd`."
        if options.contains("-b") {
            return .fault(
                "gpsd runs with `-b` and sends nothing to the receiver, so `kind: ubx` cannot wake the receiver.",
                remedy)
        }
        guard options.contains("-n") else {
            return .fault(
                "gpsd runs without `-n` and closes the receiver while no client listens, so `kind: ubx` cannot wake the receiver.",
                remedy)
        }
        return .ok("gpsd runs with `-n` and passes messages to the receiver.")
    }
}

extension Check {
    static let halting = Check("halting") { facts in
        switch facts.haltRight {
        case nil: return []
        case .allowed?: return .ok("\(facts.user?.name ?? "this user") has permission to halt the board.")
        case .forbidden?:
            return .fault(
                "\(facts.user?.name ?? "this user") has no permission to halt the board.",
                "Install systemd/trackerd.polkit-rules as /usr/share/polkit-1/rules.d/50-trackerd.rules, then run `sudo -u trackerd trackerd doctor`."
            )
        case .unknown?:
            return .warning(
                "the system does not report whether trackerd has permission to halt the board.",
                "Run `busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager CanPowerOff`; the answer should be `yes`."
            )
        }
    }

    package static let wakeUp = Check("wake-up") { facts in
        guard let settings = facts.bootSettings, let board = facts.board else { return [] }
        switch board.wakeUp {
        case .line? where settings["WAKE_ON_GPIO"] == "0":
            return .fault(
                "WAKE_ON_GPIO is 0 in the boot EEPROM, so the accelerometer cannot boot the halted board.",
                "Run `sudo rpi-eeprom-config -e`, write `WAKE_ON_GPIO=1`, and reboot.")
        case .clock?
        where board.header?.chip == "pinctrl-rp1" && !settings.isEmpty && settings["POWER_OFF_ON_HALT"] != "1":
            return .warning(
                "POWER_OFF_ON_HALT is not 1 in the boot EEPROM, so the halted board draws more than a watt.",
                "Run `sudo rpi-eeprom-config -e`, write `POWER_OFF_ON_HALT=1`, and reboot.")
        case .line?, .clock?, .supply?, nil: return []
        }
    }
}
