import Quantities
import TrackingOptions

/// One event on its way through the engine: when it happened, the facts that the components may read, and their effects.
///
/// The engine makes one turn for each event. After a change of a component from which a fact comes, the engine updates the
/// facts.
struct Turn: Sendable {
    /// Since boot.
    let now: Instant
    /// Without a copy.
    var shared: SharedOptions
    var time = UTCEstimate()
    var hasMotionSensor = false
    var isMoving = false
    var isSuspended = false
    /// A set value of `beacons` forbids the scan for configured ones.
    var forbidsBeacons = false
    var labels = TripLabels()
    /// For records: those around the vehicle with a description, in the order of entry.
    var regions: [RegionName] = []
    var ignition: Bool?
    /// Nil without a recent measurement.
    var supply: Volts?
    var isPrivate = false
    var privatePlaces: [PrivatePlace] = []
    /// Nil while one lasts.
    var publicSince: Timestamp?
    /// By an earlier false start here.
    var isPlaceShaken = false
    /// Than the usual vibration here; true without false starts, and before the first window.
    var isMotionStrong = true

    /// In the order of the statements.
    var effects = EffectBuffer()
    /// Their records have passed the privacy filter.
    var filteredCount = 0

    init(at now: Instant, _ shared: SharedOptions) {
        self.now = now
        self.shared = shared
    }

    var options: TrackingOptions { _read { yield shared.options } }

    var utc: UTCTime { time.time(at: now) }

    var isIgnitionOn: Bool { ignition == true }
}

/// Shared and read in place, because copying all values costs time.
final class SharedOptions: Sendable {
    let options: TrackingOptions

    init(_ options: TrackingOptions) { self.options = options }
}
