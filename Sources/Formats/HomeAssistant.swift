internal import JSON
package import Quantities
package import Tracking

/// The state of the vehicle for Home Assistant, which finds the device by MQTT discovery (docs/connect-home-assistant.md).
///
/// Home Assistant takes the last message as the present state, so a payload has only the last state of its records, and the
/// broker retains it.
package struct HomeAssistant: UploadFormat {
    package let name = "homeassistant"
    package let transports: [TransportKind] = [.mqtt]
    /// The records of a payload become one state.
    package let recordsPerPayload = 1...1000
    /// True, because an old state is of no use.
    package let isStateOnly = true
    /// Home Assistant's birth message after each start, when it needs the descriptions.
    package let call: (topic: String, words: String)? = ("homeassistant/status", "online")

    package init() {}

    package func encode(
        _ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind
    ) -> EncodeResult {
        let topics = HomeAssistantTopics(sender)
        guard let last = records.last?.record, let state = VehicleState.json(after: last).encoded else {
            return .impossible(reason: "a number in the record is not finite")
        }
        var companions = introduction(of: records.map(\.record), topics)
        for part in HomeAssistantPart.allCases {
            guard let isFaulty = records.compactMap({ part.isFaulty(after: $0.record) }).last else { continue }
            companions.append(Self.config(of: part.entity, topics))
            companions.append(Self.payload(Array((isFaulty ? "ON" : "OFF").utf8), to: topics.fault(part)))
        }
        if let position = records.last(where: { $0.record.position != nil })?.record {
            guard let body = VehiclePlace.json(of: position)?.encoded else {
                return .impossible(reason: "a number in the record is not finite")
            }
            companions.append(Self.payload(body, to: topics.location))
        }
        var payload = Self.payload(state, to: topics.state)
        payload.companions = companions
        return .payload(payload)
    }

    package func introduction(for sender: Sender) -> [WirePayload] {
        let topics = HomeAssistantTopics(sender)
        let configs = HomeAssistantEntity.ofEveryVehicle.map { Self.config(of: $0, topics) }
        return configs + [Self.availability("online", topics)]
    }

    package func farewell(for sender: Sender) -> WirePayload? {
        Self.availability("offline", HomeAssistantTopics(sender))
    }

    package func will(for sender: Sender, connectedAt time: Timestamp) -> WirePayload? {
        Self.availability("offline", HomeAssistantTopics(sender))
    }

    /// Describes ignition and voltage, which only some boards have, if an event among the records has a value.
    private func introduction(of records: [Record], _ topics: HomeAssistantTopics) -> [WirePayload] {
        let events = records.filter { $0.kind.isEvent }
        var entities: [HomeAssistantEntity] = []
        if events.contains(where: { $0.ignition != nil }) { entities.append(.ignition) }
        if events.contains(where: { $0.supply != nil }) { entities.append(.voltage) }
        return entities.map { Self.config(of: $0, topics) }
    }

    private static func config(of entity: HomeAssistantEntity, _ topics: HomeAssistantTopics) -> WirePayload {
        payload(entity.config(topics).encoded ?? [], to: topics.config(of: entity))
    }

    private static func availability(_ word: String, _ topics: HomeAssistantTopics) -> WirePayload {
        payload(Array(word.utf8), to: topics.availability)
    }

    private static func payload(_ body: [UInt8], to topic: String) -> WirePayload {
        WirePayload(body: body, contentType: "application/json", topic: topic, retain: true)
    }
}
