internal import JSON

extension HomeAssistantEntity {
    /// MQTT discovery: https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery.
    func config(_ topics: HomeAssistantTopics) -> JSONValue {
        var members: [String: JSONValue] = [
            "unique_id": .text("\(topics.node)_\(id)"),
            // The description of the device; it is the same in the configuration of each entity.
            "device": .object([
                "identifiers": .list([.text(topics.node)]), "name": .text(topics.device),
                "manufacturer": .text("trackerd"), "model": .text("Vehicle tracker"),
            ]),
            "origin": .object(["name": .text("trackerd")]),
            "availability_topic": .text(orNull: outlastsConnection ? nil : topics.availability),
            "device_class": .text(orNull: deviceClass),
            "state_class": .text(orNull: stateClass),
            "unit_of_measurement": .text(orNull: unit),
            "suggested_display_precision": .integer(orNull: precision),
            "options": options.map { .list($0.map(JSONValue.text)) } ?? .null,
            "entity_category": .text(orNull: category),
            "icon": .text(orNull: icon),
        ].withoutNull
        // Home Assistant interprets null as the name of the device, so the member is present even if it is null.
        members["name"] = .text(orNull: name)
        return .object(members.merging(state(topics)) { $1 })
    }

    private func state(_ topics: HomeAssistantTopics) -> [String: JSONValue] {
        switch source {
        case .state(let template): ["state_topic": .text(topics.state), "value_template": .text(template)]
        case .fault(let part): ["state_topic": .text(topics.fault(part))]
        case .availability:
            [
                "state_topic": .text(topics.availability), "payload_on": .text("online"),
                "payload_off": .text("offline"),
            ]
        case .location:
            // The state text `None` makes Home Assistant find the zone by the position in the attributes.
            [
                "state_topic": .text(topics.location), "value_template": .text("None"),
                "json_attributes_topic": .text(topics.location), "source_type": .text("gps"),
            ]
        }
    }
}
