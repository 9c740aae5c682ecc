import Delivery
import Hardware
import Quantities
import Store
import Tracking

/// The values of all metrics at one instant.
struct MetricValues: Sendable {
    /// The values of one target.
    struct Target: Sendable {
        let name: String
        /// The number of waiting records; nil while trackerd cannot read the database.
        let waiting: Int?
        let oldest: Timestamp?
        let setAside: Int?
        let uploads: UploadCounts
        let isWorking: Bool
    }

    var isUp = true
    var version = ""
    var wakeUps = 0
    var longestTurn = Duration.zero
    var longTurns = 0
    var busErrors: Int?
    var faults = 0
    var supply: Volts?
    var isMoving = false
    var isTracking = true
    var summary = DriveSummary()
    var moving = Duration.zero
    var odometer = Metres.zero
    var isReceiverOn = false
    var receiverOn = Duration.zero
    var firstFixes = FirstFixes()
    var lastFix: Timestamp?
    var commits = 0
    var recordsInMemory = 0
    var targets: [Target] = []
}
