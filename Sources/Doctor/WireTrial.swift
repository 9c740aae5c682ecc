package import Hardware
package import Quantities
import Tracking

package struct WireTrial {
    package enum Wire: String, Sendable, Hashable, CaseIterable {
        case interrupt, ignition, powerFail, supply
        case privateSwitch = "private"
    }

    private let wire: Wire
    private let source: any EventSource
    private let clock: any LoopClock

    package init(_ wire: Wire, source: any EventSource, clock: any LoopClock) {
        self.wire = wire
        self.source = source
        self.clock = clock
    }

    /// `wait` waits for the input until the given instant. The trial ends early if the input has a fault, or if `wait` returns
    /// false. Returns whether enough changes were seen.
    package func run(for span: Duration, wait: (Instant) throws -> Bool, report: (String) -> Void) throws -> Bool {
        let end = clock.now() + span
        var seen: Set<String> = []
        report(wire.instruction)
        while clock.now() < end, source.fault == nil {
            guard try wait(end) else { break }
            for event in source.advance(at: clock.now()) {
                guard let text = wire.describe(event) else { continue }
                if wire.isConfirmed(by: event) { seen.insert(text) }
                report(text)
            }
        }
        if let fault = source.fault {
            report("\(fault)")
            return false
        }
        let isEnough = seen.count >= wire.leastChanges
        if !isEnough { report(wire.remedy) }
        return isEnough
    }
}

extension WireTrial.Wire {
    fileprivate var instruction: String {
        switch self {
        case .interrupt: "Shake the vehicle now."
        case .ignition: "Switch the ignition on and off now."
        case .privateSwitch: "Turn the private switch on and off now."
        case .powerFail: "Disconnect the supply at the input of the converter now, and connect it again."
        case .supply: "Measure the voltage with a voltmeter now, and compare the values."
        }
    }

    /// A switch must be turned on and off.
    fileprivate var leastChanges: Int {
        switch self {
        case .ignition, .privateSwitch: 2
        case .interrupt, .powerFail, .supply: 1
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .interrupt: "The interrupt line reported no motion."
        case .ignition:
            "The ignition line did not change. Check the wire to terminal 15, the fuse, and `activeLow` in the board file."
        case .privateSwitch:
            "The line of the private switch did not change. Check the switch, its wires, and `activeLow` and `bias` of `private`."
        case .powerFail: "The line did not change. Check the comparator, its wire, and `activeLow` in the board file."
        case .supply: "The INA219 measured no battery voltage. \(Finding.connectBattery)"
        }
    }

    /// A voltage below that of any battery does not count.
    fileprivate func isConfirmed(by event: Event) -> Bool {
        if case .supply(let voltage) = event { voltage >= PowerPolicy.leastVoltage } else { true }
    }

    fileprivate func describe(_ event: Event) -> String? {
        switch (self, event) {
        case (.interrupt, .motion): "The accelerometer detected motion, and the interrupt line changed."
        case (.ignition, .ignition(let isOn)): "The ignition is \(isOn ? "on" : "off")."
        case (.privateSwitch, .privateSwitch(let isOn)): "The private switch is \(isOn ? "on" : "off")."
        case (.powerFail, .power(.supplyLost)): "The supply is lost."
        case (.powerFail, .power(.supplyBack)): "The supply is back."
        case (.supply, .supply(let voltage)): "The INA219 measures \(voltage.rounded)."
        case _: nil
        }
    }
}
