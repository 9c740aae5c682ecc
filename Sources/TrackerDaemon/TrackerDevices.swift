package import Hardware

package struct TrackerDevices {
    package var receiver: any Receiver
    /// Nil on a board without an accelerometer.
    package var motionSensor: (any MotionSensor)?

    package var scanner: (any BeaconScanner)?
    /// Ignition, private switch, power failure and battery voltage.
    package var inputs: [any EventSource] = []
    package var light: (any IndicatorLight)?
    package var saver: (any PowerSaver)?
    package var halter: (any Halter)?
    package var isWokenByMotion = false
    package var currents = Currents()

    package init(receiver: any Receiver, motionSensor: (any MotionSensor)?) {
        self.receiver = receiver
        self.motionSensor = motionSensor
    }

    var sources: [any EventSource] {
        [receiver as any EventSource, motionSensor, scanner, halter].compactMap { $0 } + inputs
    }

    /// All devices in the order of their start.
    var all: [any Device] { [saver as (any Device)?, light].compactMap { $0 } + sources }
}
