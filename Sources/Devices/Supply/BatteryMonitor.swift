package import Hardware
package import Motion
package import Quantities
package import Tracking

/// An INA219 that measures the voltage of the vehicle's battery at intervals, and sleeps between the measurements.
///
/// The registers follow Texas Instruments' data sheet SBOS448G.
package final class BatteryMonitor: EventSource {
    /// The interval of measurements; it is short enough to detect a voltage that lasts for a minute, and long enough for the
    /// program to sleep.
    package static let interval = Duration.seconds(30)
    /// The wait for a measurement; a conversion with 12 bits takes 0.6 ms at most (section 6.5).
    private static let conversion = Duration.milliseconds(2)
    private static let configuration: UInt8 = 0x00
    /// 32 V range, 12 bits, one measurement of the bus voltage (section 8.6.2.1); after this measurement the chip draws at most 15
    /// µA.
    private static let once: [UInt8] = [0x21, 0x9A]
    private static let busVoltage: UInt8 = 0x02
    /// One step of the bus voltage in volts; in the register, the voltage begins at bit 3 (section 8.6.3.2).
    private static let step = 0.004

    package let name = "battery monitor"
    package var fault: (any Fault)? { error }

    private enum State {
        case asleep(until: Instant)
        case converting(until: Instant)
    }

    private let bus: any RegisterBus
    private let divider: Double
    private var state = State.asleep(until: .boot)
    private var error: BatteryMonitorError?
    private var backoff = Backoff.device

    /// Makes a monitor of a chip, but does not use its bus yet.
    ///
    /// `divider` is the ratio of the voltage divider between the battery and the chip.
    package init(on bus: any RegisterBus, divider: Double = 1) {
        self.bus = bus
        self.divider = divider
    }

    package var wait: Wait {
        switch state {
        case .asleep(let until), .converting(let until): Wait(deadline: until)
        }
    }

    package func advance(at now: Instant) -> [Event] {
        do throws(BusError) {
            return try step(at: now)
        } catch {
            self.error = BatteryMonitorError(bus: error)
            state = .asleep(until: now + backoff.next())
            return []
        }
    }

    /// Reads the last measurement of a chip that a daemon may be using.
    static func reading(on bus: any RegisterBus, _ wiring: SupplyWiring.Monitor) throws(BusError) -> Volts {
        try measured(on: bus, divider: wiring.divider)
    }

    private static func measured(on bus: any RegisterBus, divider: Double) throws(BusError) -> Volts {
        let bytes = try bus.read(busVoltage, count: 2)
        let steps = (Int(bytes[0]) << 8 | Int(bytes[1])) >> 3
        return Volts(Double(steps) * step * divider)
    }

    private func step(at now: Instant) throws(BusError) -> [Event] {
        switch state {
        case .asleep(let until):
            guard now >= until else { return [] }
            try bus.write(Self.once, to: Self.configuration)
            state = .converting(until: now + Self.conversion)
            return []
        case .converting(let until):
            guard now >= until else { return [] }
            let voltage = try Self.measured(on: bus, divider: divider)
            state = .asleep(until: now + Self.interval)
            error = nil
            backoff.reset()
            return [.supply(voltage)]
        }
    }
}

/// The program cannot monitor the battery.
package struct BatteryMonitorError: Fault {
    /// The error of the bus.
    package let bus: BusError

    package var subject: String { bus.subject }
    package var cause: String { "\(bus.cause), so the battery is not monitored" }
    package var remedy: String? { bus.remedy }
}
