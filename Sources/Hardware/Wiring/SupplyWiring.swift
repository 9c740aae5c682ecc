/// The inputs that tell of the vehicle's ignition and of the supply.
package struct SupplyWiring: Sendable, Hashable {
    /// An INA219 on an I²C bus, which measures the voltage of the vehicle's battery.
    package struct Monitor: Sendable, Hashable {
        /// The device of the bus, such as `/dev/i2c-1`.
        package var bus: String
        /// Its address, 0x40 to 0x4F.
        package var address: UInt8

        /// Describes a monitor.
        package init(bus: String, address: UInt8 = 0x40) {
            self.bus = bus
            self.address = address
        }
    }

    /// Active while the ignition is on.
    package var ignition: LineReference?
    /// Active when the supply is about to fail.
    package var powerFail: LineReference?
    /// What measures the battery.
    package var monitor: Monitor?

    /// Describes the inputs; none is wired when nothing is given.
    package init(ignition: LineReference? = nil, powerFail: LineReference? = nil, monitor: Monitor? = nil) {
        self.ignition = ignition
        self.powerFail = powerFail
        self.monitor = monitor
    }
}
