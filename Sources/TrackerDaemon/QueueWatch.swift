import Hardware
import Quantities
import Store
import Tracking

/// Wakes the loop when a thread of the queue, or the upload thread, signals the `QueueAlarm`.
final class QueueWatch: EventSource {
    var name: String { "queue" }
    let wait: Wait
    private let alarm: QueueAlarm
    private(set) var hasRung = false

    init(_ alarm: QueueAlarm) {
        self.alarm = alarm
        wait = alarm.descriptor >= 0 ? Wait(.read(alarm.descriptor)) : Wait()
    }

    func advance(at now: Instant) -> [Event] {
        hasRung = true
        return []
    }

    /// Whether the maintenance of the queue is due; always true if the alarm has no descriptor.
    func takeRing() -> Bool {
        defer { hasRung = false }
        return hasRung || alarm.descriptor < 0
    }

    /// Returns whether an order of a server has been stored since the last call; call this after the maintenance of the queue.
    func takeOrders() -> Bool { alarm.takeOrders() }
}
