import Synchronization
import Upload

/// The reasons why targets receive no records at present.
///
/// The upload thread writes the reasons, and the loop reads them for the status.
package final class UploadConditions: Sendable {
    private let faults = Mutex<[String: String]>([:])
    private let deliveries = Mutex<[String: Int]>([:])

    /// Makes conditions in which no target has a fault.
    package init() {}

    /// Returns why the target receives no records at present; nil if no reason is known.
    package func fault(of target: String) -> String? { faults.withLock { $0[target] } }

    /// Returns how many times the target has received records since the start of the program.
    package func deliveries(to target: String) -> Int { deliveries.withLock { $0[target] ?? 0 } }

    /// Removes all faults, because trackerd serves other targets from now on.
    func clear() { faults.withLock { $0 = [:] } }

    /// Updates the condition of a target after a report.
    func note(_ report: UploadReport) {
        switch report.event {
        case .failing(let reason), .unauthorised(let reason), .unsteady(_, let reason, isFailing: true):
            set(reason, for: report.target)
        case .held(let reason): set(reason.map { "uploads wait: \($0)" }, for: report.target)
        case .recovered, .unsteady: set(nil, for: report.target)
        case .delivered(let count, let withheld) where count > withheld:
            set(nil, for: report.target)
            deliveries.withLock { $0[report.target, default: 0] += 1 }
        case .delivered, .setAside, .unsendable, .passedOver, .notice, .ordersRefused, .queueFailing: break
        }
    }

    private func set(_ fault: String?, for target: String) { faults.withLock { $0[target] = fault } }
}
