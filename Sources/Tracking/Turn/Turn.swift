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
    var driver = DriverWitness.none
    var ignition: Bool?
    var supply: Volts?
    var isPrivate = false
    var privatePlaces: [PrivatePlace] = []
    /// When the last private period ended; nil while one lasts, or if there was none.
    var publicSince: Timestamp?
    var isPlaceShaken = false
    var isMotionStrong = true
    /// Nil until the parked level of the vibration is known.
    var shockLevel: Acceleration?

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

/// What the beacons show about who drives.
package enum DriverWitness: Sendable, Hashable {
    /// No `driver` beacon is configured, the trip began before this run, or the adapter cannot scan.
    case none
    /// The scan at the start of the trip goes on, or no trip is under way.
    case awaited
    case heard
    /// The scan at the start of the trip has heard no `driver` beacon.
    case absent
}

/// Options that are shared and read in place, because copying all values costs time.
final class SharedOptions: Sendable {
    let options: TrackingOptions

    init(_ options: TrackingOptions) { self.options = options }
}
