internal import Tracking

struct HomeAssistantTopics: Sendable, Hashable {
    private let base: String
    /// The name in unique IDs and discovery topics.
    let node: String
    let device: String

    init(_ sender: Sender) {
        base = sender.topic
        node = "trackerd_\(Self.identifier(sender.user))_\(Self.identifier(sender.device))"
        device = sender.device
    }

    var state: String { base + "/state" }
    var location: String { base + "/location" }
    var availability: String { base + "/availability" }

    func fault(_ part: HomeAssistantPart) -> String { "\(base)/problem/\(part.rawValue)" }

    func config(of entity: HomeAssistantEntity) -> String {
        "homeassistant/\(entity.component)/\(node)/\(entity.id)/config"
    }

    /// The result has only letters, digits, `-` and `_`, as a discovery topic requires.
    private static func identifier(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar))
            return isPlain ? String(scalar) : "_" + String(scalar.value, radix: 16)
        }.joined()
    }
}

/// The entity of a part appears with the first record about the part.
enum HomeAssistantPart: String, Sendable, Hashable, CaseIterable {
    case receiver, jamming, accelerometer, bus, storage, clock, supply

    /// Nil if the record is not about the part.
    func isFaulty(after record: Record) -> Bool? {
        switch (self, record.content) {
        case (.receiver, .providerchange(let change)): Self.isFaulty(change.state)
        case (.jamming, .providerchange(let change)): Self.isJammed(change.state)
        case (.supply, .power(let change, _)): Self.isFaulty(change)
        case (_, .health(let report)): Self.health[report.change].flatMap { $0.part == self ? $0.isFaulty : nil }
        default: nil
        }
    }

    var entity: HomeAssistantEntity {
        HomeAssistantEntity(
            component: "binary_sensor", id: "problem_\(rawValue)", name: "\(title) problem", source: .fault(self),
            deviceClass: "problem", category: "diagnostic")
    }

    private var title: String {
        switch self {
        case .receiver: "GPS receiver"
        case .jamming: "GPS jamming"
        case .accelerometer: "Accelerometer"
        case .bus: "Accelerometer bus"
        case .storage: "Storage"
        case .clock: "Clock"
        case .supply: "Supply"
        }
    }

    private static func isFaulty(_ change: PowerChange) -> Bool? {
        switch change {
        case .supplyLost, .supplyLow: true
        case .supplyBack: false
        case .started, .shutdown, .ignitionOn, .ignitionOff: nil
        }
    }

    private static func isFaulty(_ state: ProviderChange.State) -> Bool? {
        switch state {
        case .silent, .frozen, .unswitchable: true
        // A missing fix, for example in a garage, is not a fault.
        case .available, .noFix: false
        case .jammed, .jammingEnded: nil
        }
    }

    private static func isJammed(_ state: ProviderChange.State) -> Bool? {
        switch state {
        case .jammed: true
        case .jammingEnded: false
        case .available, .silent, .frozen, .noFix, .unswitchable: nil
        }
    }

    private static let health: [HealthChange: (part: HomeAssistantPart, isFaulty: Bool)] = [
        .accelerometerLost: (.accelerometer, true), .accelerometerBack: (.accelerometer, false),
        .busErrors: (.bus, true), .busBack: (.bus, false),
        .storageFailing: (.storage, true), .storageBack: (.storage, false),
        .clockNotSet: (.clock, true), .clockSet: (.clock, false),
    ]
}

struct HomeAssistantEntity: Sendable, Hashable {
    enum Source: Sendable, Hashable {
        /// The template extracts the state.
        case state(String)
        case location
        case fault(HomeAssistantPart)
        case availability
    }

    let component: String
    let id: String
    /// Shown after the device's name; nil for the device itself.
    let name: String?
    let source: Source
    var deviceClass: String?
    var stateClass: String?
    var unit: String?
    var options: [String]?
    var category: String?
    var icon: String?
    var precision: Int?
    /// True if the entity is shown even while the tracker is not connected.
    var outlastsConnection = false

    static let ofEveryVehicle = [
        HomeAssistantEntity(
            component: "device_tracker", id: "location", name: nil, source: .location, outlastsConnection: true),
        HomeAssistantEntity(
            component: "sensor", id: "state", name: "State", source: .state("{{ value_json.state }}"),
            deviceClass: "enum", options: ["moving", "parked"], icon: "mdi:car"),
        HomeAssistantEntity(
            component: "sensor", id: "speed", name: "Speed", source: .state("{{ value_json.speed }}"),
            deviceClass: "speed", stateClass: "measurement", unit: "km/h", precision: 0),
        HomeAssistantEntity(
            component: "sensor", id: "odometer", name: "Odometer", source: .state("{{ value_json.odometer }}"),
            deviceClass: "distance", stateClass: "total_increasing", unit: "km", precision: 1, outlastsConnection: true),
        HomeAssistantEntity(
            component: "sensor", id: "last_record", name: "Last record", source: .state("{{ value_json.time }}"),
            deviceClass: "timestamp", category: "diagnostic", outlastsConnection: true),
        HomeAssistantEntity(
            component: "binary_sensor", id: "connection", name: "Connection", source: .availability,
            deviceClass: "connectivity", category: "diagnostic", outlastsConnection: true),
    ]

    static let ignition = HomeAssistantEntity(
        component: "binary_sensor", id: "ignition", name: "Ignition",
        source: .state("{{ {true: 'ON', false: 'OFF'}[value_json.ignition] | default('None') }}"), icon: "mdi:engine")

    static let voltage = HomeAssistantEntity(
        component: "sensor", id: "voltage", name: "Battery voltage", source: .state("{{ value_json.voltage }}"),
        deviceClass: "voltage", stateClass: "measurement", unit: "V", precision: 1)
}
