import Quantities
import TrackingOptions

/// One event on its way through the engine: when it happened, the facts that the components may read, and their
/// effects. When a component that provides a fact has changed, the engine updates the facts.
struct Turn: Sendable {
    let now: Instant
    var shared: SharedOptions
    var time = UTCEstimate()
    var hasMotionSensor = false
    var isMoving = false
    var isSuspended = false
    /// True if the option `beacons` forbids the scan even with configured beacons.
    var forbidsBeacons = false
    var labels = TripLabels()
    var regions: [RegionName] = []
    var ignition: Bool?
    var supply: Volts?
    var isPrivate = false
    var privatePlaces: [PrivatePlace] = []
    /// When the last private period ended; nil while one lasts, or if there was none.
    var publicSince: Timestamp?
    var isPlaceShaken = false
    var isMotionStrong = true

    var effects = EffectBuffer()
    /// The number of effects whose records have passed the privacy filter.
    var filteredCount = 0

    init(at now: Instant, _ shared: SharedOptions) {
        self.now = now
        self.shared = shared
    }

    var options: TrackingOptions { _read { yield shared.options } }

    var utc: UTCTime { time.time(at: now) }

    var isIgnitionOn: Bool { ignition == true }
}

/// Options that are shared and read in place, because copying all values costs time.
final class SharedOptions: Sendable {
    let options: TrackingOptions

    init(_ options: TrackingOptions) { self.options = options }
}
