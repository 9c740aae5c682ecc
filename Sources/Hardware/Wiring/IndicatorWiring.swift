/// The light that shows whether the vehicle is tracked.
package enum IndicatorWiring: Sendable, Hashable {
    /// A light of the kernel, by its name in `/sys/class/leds`.
    case led(String)
    /// A light on a GPIO line.
    case line(LineReference)
}
