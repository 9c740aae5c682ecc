/// A light that shows whether the vehicle is tracked.
package protocol IndicatorLight: Device {
    /// Lights it, or puts it out; one that cannot be reached stays as it is.
    func show(isLit: Bool)
}
