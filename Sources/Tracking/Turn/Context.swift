import Quantities
import TrackingOptions

/// The data that a component may read in addition to the event; the engine makes a new context for each call of a
/// component.
struct Context: Sendable {
    /// When the event happened, as time since boot.
    let now: Instant
    /// The estimate of UTC.
    let time: UTCEstimate
    /// Whether an accelerometer is available.
    let hasMotionSensor: Bool
    /// Whether the vehicle moves.
    var isMoving: Bool
    /// Vehicle, driver and tag of the records.
    let labels: TripLabels
    /// The regions to list in records, in the order of entry; each of them contains the vehicle and has a description.
    let regions: [RegionName]

    /// Whether the ignition is on; nil if the program has not read an ignition line.
    var ignition: Bool?
    /// The voltage of the vehicle's battery; nil without a recent measurement.
    var supply: Volts?
    /// Whether no position may be recorded now.
    var isPrivate = false
    /// The circles in which no position may be recorded.
    var privatePlaces: [PrivatePlace] = []
    /// When the last private period ended; nil before the first one, and while one lasts.
    var publicSince: Timestamp?
    /// Whether the ignition is known to be on.
    var isIgnitionOn: Bool { ignition == true }
    /// Whether an earlier start at the present place was a false start.
    var isPlaceShaken = false
    /// Whether the present motion is stronger than the usual vibration at this place; true at a place without false
    /// starts, and before the first window.
    var isMotionStrong = true

    /// The options in force, shared without a copy.
    let shared: SharedOptions

    /// Combines the data.
    init(
        now: Instant, time: UTCEstimate, options: SharedOptions, hasMotionSensor: Bool, isMoving: Bool,
        labels: TripLabels, regions: [RegionName], ignition: Bool? = nil, supply: Volts? = nil
    ) {
        self.now = now
        self.time = time
        shared = options
        self.hasMotionSensor = hasMotionSensor
        self.isMoving = isMoving
        self.labels = labels
        self.regions = regions
        self.ignition = ignition
        self.supply = supply
    }

    /// The options in force.
    var options: TrackingOptions { shared.options }

    /// The present UTC, and whether it is trusted.
    var utc: UTCTime { time.time(at: now) }
}

/// The options in force; components share them, because it costs time to copy all their values for each event.
final class SharedOptions: Sendable {
    /// The values.
    let options: TrackingOptions

    /// Makes an object that shares these values.
    init(_ options: TrackingOptions) { self.options = options }
}
