package import Delivery
import Formats
import Synchronization

package struct UploadObstacle: Sendable, Hashable {
    package let text: String
    /// False while uploads wait for another network, and in safe mode, which the status reports itself.
    package let needsOwner: Bool

    package init(text: String, needsOwner: Bool) {
        (self.text, self.needsOwner) = (text, needsOwner)
    }
}

/// Written by the upload thread, read by the loop.
package final class UploadConditions: Sendable {
    private let faults = Mutex<[String: UploadObstacle]>([:])
    private let uploads = Mutex<[String: UploadCounts]>([:])
    private let isWatched = Atomic(false)

    package init() {}

    /// Nil if no reason is known.
    package func fault(of target: String) -> UploadObstacle? { faults.withLock { $0[target] } }

    package func counts(of target: String) -> UploadCounts { uploads.withLock { $0[target] ?? UploadCounts() } }

    func count(_ verdict: Verdict, for target: String) {
        uploads.withLock { $0[target, default: UploadCounts()].note(verdict) }
    }

    /// After each report: a client watches, or metrics are written.
    var wakesLoop: Bool {
        get { isWatched.load(ordering: .relaxed) }
        set { isWatched.store(newValue, ordering: .relaxed) }
    }

    /// Other targets are served from now on.
    func clear() { faults.withLock { $0 = [:] } }

    func note(_ report: UploadReport) {
        if case .delivered(let count, let withheld) = report.event {
            uploads.withLock { $0[report.target, default: UploadCounts()].note(records: count - withheld) }
        }
        switch report.event {
        case .failing(let reason), .unauthorised(let reason), .unsteady(_, let reason, isFailing: true):
            set(reason, for: report.target)
        case .held(let reason, let needsOwner):
            set(reason.map { "uploads wait: \($0)" }, needsOwner: needsOwner, for: report.target)
        case .recovered, .unsteady: set(nil, for: report.target)
        case .delivered(let count, let withheld) where count > withheld:
            set(nil, for: report.target)
        case .delivered, .setAside, .unsendable, .passedOver, .notice, .ordersRefused, .queueFailing: break
        }
    }

    private func set(_ text: String?, needsOwner: Bool = true, for target: String) {
        let fault = text.map { UploadObstacle(text: $0, needsOwner: needsOwner) }
        faults.withLock { $0[target] = fault }
    }
}
