import Synchronization
import Upload

/// Why each target receives no records at present.
///
/// The upload thread writes the reasons, and the loop reads them for the status.
package final class UploadConditions: Sendable {
    private let faults = Mutex<[String: String]>([:])
    private let isWatched = Atomic(false)

    /// Makes conditions without any fault.
    package init() {}

    /// Returns why the target receives no records at present; nil if no fault is known.
    package func fault(of target: String) -> String? { faults.withLock { $0[target] } }

    /// Whether the upload thread wakes the loop after each report, because a client watches.
    var wakesLoop: Bool {
        get { isWatched.load(ordering: .relaxed) }
        set { isWatched.store(newValue, ordering: .relaxed) }
    }

    /// Forgets all faults, because other targets follow.
    func clear() { faults.withLock { $0 = [:] } }

    /// Stores the condition of a target from a report.
    func note(_ report: UploadReport) {
        switch report.event {
        case .failing(let reason), .unauthorised(let reason), .unsteady(_, let reason, isFailing: true):
            set(reason, for: report.target)
        case .held(let reason): set(reason.map { "uploads wait: \($0)" }, for: report.target)
        case .recovered, .unsteady: set(nil, for: report.target)
        case .delivered(let count, let withheld) where count > withheld: set(nil, for: report.target)
        case .delivered, .setAside, .unsendable, .passedOver, .notice, .queueFailing: break
        }
    }

    private func set(_ fault: String?, for target: String) { faults.withLock { $0[target] = fault } }
}
