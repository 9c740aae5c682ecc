package import Hardware
package import Motion
package import Quantities
package import Tracking

/// An INA219 or INA226, which sleeps between its measurements.
package final class BatteryMonitor: EventSource {
    /// The interval is short enough to see a voltage that lasts for a minute, and long enough for the program to sleep.
    package static let interval = Duration.seconds(30)
    /// A conversion takes at most 0.6 ms (INA219, section 6.5) or 1.3 ms (INA226, section 6.5).
    private static let conversion = Duration.milliseconds(2)

    package var name: String { "battery monitor" }
    package var fault: (any Fault)? { error }

    private enum State {
        case asleep(until: Instant)
        case converting(until: Instant)
    }

    private let bus: any RegisterBus
    private let divider: Double
    private var chip = MonitorChip.ina219
    private var state = State.asleep(until: .boot)
    private var error: BatteryMonitorError?
    private var backoff = Backoff.device
    private let plausible: ClosedRange<Volts>
    private let subject: String

    /// Does not use the bus yet. `divider` is the battery's voltage divided by the voltage at the chip; only voltages in
    /// `plausible` are reported; `subject` names the chip in faults.
    package init(
        on bus: any RegisterBus, divider: Double = 1,
        plausible: ClosedRange<Volts> = Volts(-.infinity)...Volts(.infinity), subject: String = "battery monitor"
    ) {
        self.plausible = plausible
        self.subject = subject
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
            self.error = .bus(error)
            state = .asleep(until: now + backoff.next())
            return []
        }
    }

    /// Writes nothing, because a daemon may be using the chip.
    static func reading(
        on bus: any RegisterBus, _ wiring: SupplyWiring.Monitor
    ) throws(BusError) -> (chip: MonitorChip, voltage: Volts) {
        let chip = try MonitorChip.identify(on: bus)
        return (chip, try chip.voltage(on: bus) * wiring.divider)
    }

    private func step(at now: Instant) throws(BusError) -> [Event] {
        switch state {
        case .asleep(let until):
            guard now >= until else { return [] }
            chip = try MonitorChip.identify(on: bus)
            guard let once = chip.once else {
                error = .foreign(subject: subject, found: chip.name)
                state = .asleep(until: now + backoff.next())
                return []
            }
            try bus.write(once, to: MonitorChip.configuration)
            state = .converting(until: now + Self.conversion)
            return []
        case .converting(let until):
            guard now >= until else { return [] }
            let voltage = try chip.voltage(on: bus) * divider
            state = .asleep(until: now + Self.interval)
            backoff.reset()
            guard plausible.contains(voltage) else {
                error = .implausible(subject: subject, voltage)
                return []
            }
            error = nil
            return [.supply(voltage)]
        }
    }
}

package enum BatteryMonitorError: Fault {
    case bus(BusError)
    case foreign(subject: String, found: String)
    case implausible(subject: String, Volts)

    package var severity: FaultSeverity {
        if case .implausible = self { .degraded } else { .outOfService }
    }

    package var subject: String {
        switch self {
        case .bus(let error): error.subject
        case .foreign(let subject, _), .implausible(let subject, _): subject
        }
    }

    package var cause: String {
        switch self {
        case .bus(let error): "\(error.cause), so the battery is not monitored"
        case .foreign(_, let found): "\(found) answers instead of an INA219 or INA226, so the battery is not monitored"
        case .implausible(_, let voltage):
            "the monitor measures \(voltage.rounded), which no vehicle's battery has, so the battery is not monitored"
        }
    }

    package var remedy: String? {
        switch self {
        case .bus(let error): error.remedy
        case .foreign: "Fit an INA219 or an INA226, or write `supplyMonitor: none`."
        case .implausible: "Check the wire to the battery, its fuse and ground, and `divider`."
        }
    }
}
