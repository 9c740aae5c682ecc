import Calendar
import Quantities
import TrackingOptions

/// Reads GeoManager's options. As in GeoManager, a property with a value out of range gets its default.
enum GeoManagerConfiguration {
    struct Result {
        /// `line` is nil for a default.
        var values: [(key: String, value: OptionValue, line: Int?)] = []
        var warnings: [(text: String, OptionTree.Entry)] = []
    }

    private struct Property {
        let name: String
        let key: String
        let allowed: OptionKind
        let words: String
        let fallback: OptionValue
    }

    private static let properties: [Property] = [
        Property(
            name: "timeInterval", key: "desiredMovingUpdateInterval",
            allowed: .duration(.seconds(60) ... .seconds(1800)), words: "a time of 60 to 1800 s",
            fallback: .seconds(300)),
        Property(
            name: "distanceInterval", key: "distanceFilter", allowed: .metres(Metres(200)...Metres(500)),
            words: "a distance of 200 to 500 m", fallback: .metres(300)),
        Property(
            name: "accuracy", key: "desiredAccuracy", allowed: .choice(DesiredAccuracy.allCases.map(\.name)),
            words: "an accuracy that GeoManager knows", fallback: .choice(DesiredAccuracy.best)),
        Property(
            name: "startTime", key: "startTime", allowed: .timeOfDay, words: "a time of day",
            fallback: .timeOfDay(.startOfDay)),
        Property(
            name: "endTime", key: "endTime", allowed: .timeOfDay, words: "a time of day",
            fallback: .timeOfDay(.lastMinute)),
        Property(
            name: "shouldTrackLastKnownLocation", key: "trackLastKnownLocation", allowed: .flag,
            words: "`true` or `false`", fallback: .flag(true)),
    ]

    static func read(_ entries: [OptionTree.Entry]) -> Result {
        var result = Result()
        for property in properties {
            let entry = entries.first { $0.key == property.name && $0.value != .empty }
            let value = entry.flatMap { read($0, as: property) }
            if let entry, value == nil {
                let words = "is not \(property.words) (\(entry.value.quoted))"
                result.warnings.append(("\(words); trackerd uses GeoManager's default \(property.fallback).", entry))
            }
            result.values.append((property.key, value ?? property.fallback, value == nil ? nil : entry?.line))
        }
        checkHours(entries, &result)
        for index in result.values.indices where result.values[index].value == .timeOfDay(.lastMinute) {
            result.values[index].value = .timeOfDay(.endOfDay)
        }
        // GeoManager's intervals also apply while parked.
        if let interval = result.values.first(where: { $0.key == "desiredMovingUpdateInterval" }) {
            result.values.append(("desiredStoppedUpdateInterval", interval.value, interval.line))
        }
        return result
    }

    private static func read(_ entry: OptionTree.Entry, as property: Property) -> OptionValue? {
        switch entry.value {
        case .text(let text):
            let name = TrackingOption.named(property.key)?.names.first { $0.key == property.name }
            return name?.reading.value(of: text, property.allowed)
        case .mapping(let parts):
            return property.allowed == .timeOfDay ? TimeOfDay(geoTime: parts).map(OptionValue.timeOfDay) : nil
        case .empty, .list: return nil
        }
    }

    /// Checks the hours, which cannot span midnight in GeoManager. If they do, one of them is wrong, but it is unknown
    /// which, so both get their defaults.
    private static func checkHours(_ entries: [OptionTree.Entry], _ result: inout Result) {
        let hours = ["startTime", "endTime"].compactMap { key -> TimeOfDay? in
            guard case .timeOfDay(let time) = result.values.first(where: { $0.key == key })?.value else { return nil }
            return time
        }
        guard hours.count == 2, hours[0] >= hours[1],
            let entry = entries.first(where: { $0.key == "startTime" || $0.key == "endTime" })
        else { return }
        result.values.removeAll { $0.key == "startTime" || $0.key == "endTime" }
        for property in properties where property.allowed == .timeOfDay {
            result.values.append((property.key, property.fallback, nil))
        }
        let text = "leaves no time between `startTime` and `endTime`; trackerd uses GeoManager's defaults for both."
        result.warnings.append((text, entry))
    }
}

extension ForeignName {
    static let geoManager: [ForeignName] =
        shared(.geoManager, ["startTime", "endTime"]) + [
            ForeignName(
                .geoManager, "accuracy", means: "desiredAccuracy",
                .words([
                    "bestForNavigation": "best", "nearestTenMeters": "high", "hundredMeters": "medium",
                    "kilometer": "low", "threeKilometers": "low",
                ])),
            ForeignName(.geoManager, "timeInterval", means: "desiredMovingUpdateInterval"),
            ForeignName(.geoManager, "distanceInterval", means: "distanceFilter"),
            ForeignName(.geoManager, "shouldTrackLastKnownLocation", means: "trackLastKnownLocation"),
        ]
}

extension Profile {
    static let interval = Profile(
        "interval", "Records every 300 s, moving or parked, and every 300 m, like the GeoManager of an analytics SDK.",
        .from(
            "GeoManager, default configuration",
            [
                "desiredAccuracy": .choice(DesiredAccuracy.best), "desiredMovingUpdateInterval": .seconds(300),
                "desiredStoppedUpdateInterval": .seconds(300), "distanceFilter": .metres(300),
                "updateRule": .choice(UpdateRule.any), "startTime": .timeOfDay(.startOfDay),
                "endTime": .timeOfDay(.endOfDay),
            ]),
        .from("GeoManager, spool of the tracker", ["desiredSyncInterval": .seconds(60)]),
        .from("GeoManager has no place rule", ["stopDuration": .seconds(0)]),
        .from("GeoManager has no elasticity", ["disableElasticity": .flag(true)]))
}

extension TimeOfDay {
    init?(geoTime parts: [OptionTree.Entry]) {
        let numbers = ["hours", "minutes"].compactMap { key -> Int? in
            guard case .text(let text) = parts.first(where: { $0.key == key })?.value else { return nil }
            return Int(text)
        }
        guard numbers.count == 2, parts.count == 2 else { return nil }
        self.init(hour: numbers[0], minute: numbers[1])
    }

    /// The end of GeoManager's day; it stands for 24:00, because tracking must not pause in the minute before midnight.
    fileprivate static let lastMinute = TimeOfDay("23:59") ?? .endOfDay
}
