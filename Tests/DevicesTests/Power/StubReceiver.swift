import Hardware
import Quantities
import Tracking

/// A receiver that only keeps what it was told.
final class StubReceiver: Receiver {
    let name = "stub"
    var complaint: String?
    var wait = Wait()
    var coming: [Event] = []
    private(set) var calls: [String] = []

    func start(at now: Instant) { calls.append("start") }
    func stop(at now: Instant) { calls.append("stop") }

    func advance(at now: Instant) -> [Event] {
        defer { coming = [] }
        return coming
    }
}
