import TrackingOptions
import Quantities

/// What a component may know beside the event, at one moment; the engine makes it anew, and no component keeps it.
struct Context: Sendable {
    /// When the event happened, since boot.
    let now: Instant
    /// The estimate of UTC.
    let time: UTCEstimate
    /// Whether an accelerometer answers.
    let hasMotionSensor: Bool
    /// Whether the vehicle moves.
    var isMoving: Bool
    /// Vehicle, driver and tag of the records.
    let labels: TripLabels
    /// The regions that the vehicle is in and that records name, longest first.
    let regions: [RegionName]

    private let shared: SharedOptions

    /// Puts a context together.
    init(
        now: Instant, time: UTCEstimate, options: SharedOptions, hasMotionSensor: Bool, isMoving: Bool,
        labels: TripLabels, regions: [RegionName]
    ) {
        self.now = now
        self.time = time
        shared = options
        self.hasMotionSensor = hasMotionSensor
        self.isMoving = isMoving
        self.labels = labels
        self.regions = regions
    }

    /// The options in force.
    var options: TrackingOptions { shared.options }

    /// UTC now, as far as it is known.
    var utc: UTCTime { time.time(at: now) }
}

/// The options in force, shared instead of copied: 51 values are handed to each component with each event.
final class SharedOptions: Sendable {
    /// The values.
    let options: TrackingOptions

    /// Shares these values.
    init(_ options: TrackingOptions) { self.options = options }
}
