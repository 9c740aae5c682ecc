import Quantities
import TrackingOptions

/// One event on its way through the engine: when it happened, the facts that the components may read, and their effects.
///
/// The engine makes one turn for each event. After a change of a component from which a fact comes, the engine updates the
/// facts.
struct Turn: Sendable {
    /// When the event happened, as time since boot.
    let now: Instant
    /// The options in force, shared without a copy.
    var shared: SharedOptions
    /// The estimate of UTC.
    var time = UTCEstimate()
    /// Whether an accelerometer is available.
    var hasMotionSensor = false
    var isMoving = false
    /// Whether tracking is switched off, or the schedule and the options forbid it now.
    var isSuspended = false
    /// Whether a set value of the option `beacons` forbids the scan for configured beacons.
    var forbidsBeacons = false
    /// Vehicle, driver and tag of the records.
    var labels = TripLabels()
    /// The regions to list in records, in the order of entry; each of them contains the vehicle and has a description.
    var regions: [RegionName] = []
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
    /// Whether an earlier start at the present place was a false start.
    var isPlaceShaken = false
    /// Whether the present motion is stronger than the usual vibration at this place; true at a place without false
    /// starts, and before the first window.
    var isMotionStrong = true

    /// The effects so far, in the order of the statements that caused them.
    var effects = EffectBuffer()
    /// The number of effects whose records have passed the privacy filter.
    var filteredCount = 0

    /// Makes the turn of an event under these options; the engine adds the other facts.
    init(at now: Instant, _ shared: SharedOptions) {
        self.now = now
        self.shared = shared
    }

    var options: TrackingOptions { _read { yield shared.options } }

    /// The present UTC, and whether it is trusted.
    var utc: UTCTime { time.time(at: now) }

    var isIgnitionOn: Bool { ignition == true }
}

/// The options in force; components share them and read them in place, because it costs time to copy all their values.
final class SharedOptions: Sendable {
    let options: TrackingOptions

    init(_ options: TrackingOptions) { self.options = options }
}
