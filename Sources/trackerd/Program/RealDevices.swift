import Devices
import Hardware
import Motion
import Quantities
import Tracking
import TrackerDaemon

extension TrackerDevices {
    /// Makes the devices without accessing them yet.
    init(of board: BoardDescription, gpsd: GpsdAddress, lines: any LineProvider = GPIOLines()) {
        let receiver = PoweredReceiver(GpsdReceiver(gpsd), board.receiverPower, device: gpsd.device, on: lines)
        let sensor = board.accelerometer.flatMap { ChipSensor($0, lines: lines) }
        self.init(receiver: receiver, motionSensor: sensor)
        // The system may have killed the previous run during a scan; the adapter would then still be scanning.
        scanner = board.bluetooth.map { BlueZScanner(BlueZAdapter($0), wasKilled: true) }
        inputs = Self.inputs(board, lines: lines)
        light = board.indicator.map { wiring in
            switch wiring {
            case .led(let name): LEDIndicator(name)
            case .line(let line): LineIndicator(line, on: lines)
            }
        }
        saver = board.restSettings.isEmpty ? nil : SystemSettings(board.restSettings)
        halter = SystemHalter()
        isWokenByMotion = board.wakeUp == .line
    }

    private static func inputs(_ board: BoardDescription, lines: any LineProvider) -> [any EventSource] {
        let supply = board.supply
        var inputs: [any EventSource] = []
        // Put this input first, because the program has only milliseconds after a supply failure.
        if let line = supply.powerFail { inputs.append(LevelInput.powerFail(line, on: lines)) }
        if let line = board.privateSwitch { inputs.append(LevelInput.privateSwitch(line, on: lines)) }
        if let line = supply.ignition { inputs.append(LevelInput.ignition(line, on: lines)) }
        if let monitor = supply.monitor {
            let bus = I2CBus(path: monitor.bus, address: monitor.address)
            inputs.append(
                BatteryMonitor(
                    on: bus, divider: monitor.divider, plausible: board.power.plausible, subject: monitor.place))
        }
        return inputs
    }
}

extension ChipSensor {
    /// Nil for an unknown model, which the reader of the board file has reported.
    fileprivate convenience init?(_ wiring: AccelerometerWiring, lines: any LineProvider) {
        guard let chip = Accelerometers.named(wiring.model), let address = wiring.address ?? chip.addresses.first else {
            return nil
        }
        self.init(
            chip, on: I2CBus(path: wiring.bus, address: address), wakingBy: wiring.interrupt, of: lines,
            threshold: wiring.wakeThreshold, levels: wiring.levels)
    }
}

struct Composition {
    let devices: TrackerDevices
    let clock: any LoopClock
    let start: Instant
    let end: Instant?
    /// Nil if the board is not simulated.
    var earliestDate: Timestamp?
}
