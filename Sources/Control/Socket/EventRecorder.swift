import FoundationEssentials
import Quantities
import Tracking

/// Sends the sensors' reports to a client that records them; drops and counts the lines that the client reads too slowly.
final class EventRecorder {
    let client: ControlConnection
    private let began: Instant
    private let encoder = JSONEncoder()
    /// The number of lines that the recorder has dropped since it last reported dropped lines.
    private var lost = 0

    init(_ client: ControlConnection, since began: Instant) {
        self.client = client
        self.began = began
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    func note(_ event: Event, at now: Instant) {
        guard let line = RecordedEvent(event, at: now - began) else { return }
        if lost > 0, send(RecordedEvent(lost: lost, at: now - began), at: now) { lost = 0 }
        if lost > 0 || !send(line, at: now) { lost += 1 }
    }

    private func send(_ line: RecordedEvent, at now: Instant) -> Bool {
        guard let data = try? encoder.encode(line) else { return false }
        return client.push([UInt8](data) + [UInt8(ascii: "\n")], at: now)
    }
}
