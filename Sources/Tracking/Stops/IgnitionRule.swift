import TrackingOptions

/// Ends the trip when the ignition goes off, where the options say so.
enum IgnitionRule {
    /// Whether this change of the line confirms a stop.
    static func confirmsStop(isOn: Bool, options: TrackingOptions) -> Bool { !isOn && options.stopOnIgnitionOff }
}
