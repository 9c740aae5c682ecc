import Quantities
import TrackingOptions

/// One event on its way through the engine: when it happened, the facts that the components may read, and their
/// effects. After a change of a component from which a fact comes, the engine updates the facts.
struct Turn: Sendable {
    let now: Instant
    /// The options, shared and not copied.
    var shared: SharedOptions
    var time = UTCEstimate()
    var hasMotionSensor = false
    var isMoving = false
    var isSuspended = false
    /// A set value of `beacons` forbids the scan even if beacons are configured.
    var forbidsBeacons = false
    var labels = TripLabels()
    /// The regions around the vehicle that records name, in the order of entry.
    var regions: [RegionName] = []
    var ignition: Bool?
    /// Nil without a recent measurement.
    var supply: Volts?
    var isPrivate = false
    var privatePlaces: [PrivatePlace] = []
    /// When the last private period ended; nil while one lasts.
    var publicSince: Timestamp?
    /// An earlier start here was false.
    var isPlaceShaken = false
    /// The vibration is stronger than usual here. True without false starts, and before the first window.
    var isMotionStrong = true

    /// In the order in which the components requested them.
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
