package import Motion
package import Quantities

/// Where the accelerometer is, and how it wakes the program.
package struct AccelerometerWiring: Sendable, Hashable {
    /// The device of the bus, such as `/dev/i2c-1`.
    package var bus: String
    /// The model, as the catalogue of chips names it.
    package var model: String
    /// Its address; the model's usual one when nothing is given.
    package var address: UInt8?
    /// Its interrupt line; nothing: the FIFO is read now and then instead.
    package var interrupt: LineReference?
    /// What the chip must feel at rest to wake the program.
    package var wakeThreshold: Acceleration
    /// What counts as motion, and what as stillness.
    package var levels: MotionDetector.Thresholds

    /// Describes an accelerometer.
    package init(
        bus: String, model: String, address: UInt8? = nil, interrupt: LineReference? = nil,
        wakeThreshold: Acceleration = Acceleration(0.5),
        levels: MotionDetector.Thresholds = MotionDetector.Thresholds()
    ) {
        self.bus = bus
        self.model = model
        self.address = address
        self.interrupt = interrupt
        self.wakeThreshold = wakeThreshold
        self.levels = levels
    }
}
