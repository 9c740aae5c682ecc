/// A message of Home Assistant's MQTT discovery: https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery.
struct HomeAssistantConfig: Encodable {
    /// The description of the device; it is the same in the configuration of each entity.
    struct Device: Encodable {
        let identifiers: [String]
        let name: String
        let manufacturer = "trackerd"
        let model = "Vehicle tracker"

        enum CodingKeys: CodingKey { case identifiers, name, manufacturer, model }
    }

    /// The program that published the message.
    struct Origin: Encodable {
        let name = "trackerd"

        enum CodingKeys: CodingKey { case name }
    }

    let unique_id: String
    let name: String?
    let device: Device
    let origin = Origin()
    var state_topic: String
    var value_template: String?
    var json_attributes_topic: String?
    var source_type: String?
    var payload_on: String?
    var payload_off: String?
    let availability_topic: String?
    let device_class: String?
    let state_class: String?
    let unit_of_measurement: String?
    let suggested_display_precision: Int?
    let options: [String]?
    let entity_category: String?
    let icon: String?

    enum CodingKeys: CodingKey {
        case unique_id, name, device, origin, state_topic, value_template, json_attributes_topic, source_type
        case payload_on, payload_off, availability_topic, device_class, state_class, unit_of_measurement
        case suggested_display_precision, options, entity_category, icon
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(unique_id, forKey: .unique_id)
        // Home Assistant interprets null as the name of the device, so `encode` writes the member even if it is null.
        try container.encode(name, forKey: .name)
        try container.encode(device, forKey: .device)
        try container.encode(origin, forKey: .origin)
        try container.encode(state_topic, forKey: .state_topic)
        try container.encodeIfPresent(suggested_display_precision, forKey: .suggested_display_precision)
        try container.encodeIfPresent(options, forKey: .options)
        let texts: [(CodingKeys, String?)] = [
            (.value_template, value_template), (.json_attributes_topic, json_attributes_topic),
            (.source_type, source_type), (.payload_on, payload_on), (.payload_off, payload_off),
            (.availability_topic, availability_topic), (.device_class, device_class), (.state_class, state_class),
            (.unit_of_measurement, unit_of_measurement), (.entity_category, entity_category), (.icon, icon),
        ]
        for (key, text) in texts { try container.encodeIfPresent(text, forKey: key) }
    }
}

extension HomeAssistantEntity {
    /// Returns the message that makes Home Assistant show the entity.
    func config(_ topics: HomeAssistantTopics) -> HomeAssistantConfig {
        var config = HomeAssistantConfig(
            unique_id: "\(topics.node)_\(id)", name: name,
            device: HomeAssistantConfig.Device(identifiers: [topics.node], name: topics.device),
            state_topic: topics.state, availability_topic: outlastsConnection ? nil : topics.availability,
            device_class: deviceClass, state_class: stateClass, unit_of_measurement: unit,
            suggested_display_precision: precision, options: options, entity_category: category, icon: icon)
        switch source {
        case .state(let template): config.value_template = template
        case .fault(let part): config.state_topic = topics.fault(part)
        case .availability:
            (config.state_topic, config.payload_on, config.payload_off) = (topics.availability, "online", "offline")
        case .location:
            // The state text `None` makes Home Assistant find the zone by the position in the attributes.
            (config.state_topic, config.value_template) = (topics.location, "None")
            (config.json_attributes_topic, config.source_type) = (topics.location, "gps")
        }
        return config
    }
}
