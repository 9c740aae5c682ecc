internal import Formats
internal import Quantities

/// The messages that have no PUBACK yet.
struct PublishedMessages {
    private struct Message {
        /// Nil for a message that introduces the device.
        let payload: Int?
        let number: Int32
        let topic: String
        let at: Instant
    }

    private var messages: [Message] = []

    var isEmpty: Bool { messages.isEmpty }

    var topic: String? { messages.first { $0.payload != nil }?.topic }

    var oldest: Instant? { messages.first?.at }

    /// The payloads in order, each once.
    var payloads: [Int] {
        var found: [Int] = []
        for case let payload? in messages.map(\.payload) where found.last != payload { found.append(payload) }
        return found
    }

    mutating func add(_ number: Int32, of payload: Int?, to topic: String, at now: Instant) {
        messages.append(Message(payload: payload, number: number, topic: topic, at: now))
    }

    mutating func forget(_ payload: Int) { messages.removeAll { $0.payload == payload } }

    /// Notes a PUBACK; returns the payload whose outcome is now known. The payload is nil if the broker refused a
    /// message that introduces the device. A payload is delivered when the broker has accepted all its messages.
    mutating func acknowledge(_ number: Int32, _ reason: BrokerReason) -> (payload: Int?, verdict: Verdict)? {
        guard let index = messages.firstIndex(where: { $0.number == number }) else { return nil }
        let message = messages.remove(at: index)
        let verdict = reason.verdict(onMessageTo: message.topic)
        guard let payload = message.payload else { return verdict == .delivered ? nil : (nil, verdict) }
        guard verdict == .delivered else {
            forget(payload)
            return (payload, verdict)
        }
        return messages.contains { $0.payload == payload } ? nil : (payload, .delivered)
    }
}
