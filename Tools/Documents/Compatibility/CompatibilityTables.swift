package import Compatibility
import TrackingOptions
import Tracking

/// The tables of docs/compatibility.md: the features of other products and their counterparts in trackerd.
package enum CompatibilityTables {
    package static var text: String {
        OptionSystem.allCases.map { system in
            let header = ["## \(system.title)", "", "| feature | kind | in trackerd |", "| --- | --- | --- |"]
            return (header + rows(of: system).map(line)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// Returns all rows of a product: first its names in the option table, then the rest.
    package static func rows(of system: OptionSystem) -> [CompatibilityRow] {
        let options = TrackingOption.all.flatMap { option in
            option.names.filter { $0.system == system }.map { row(option, $0) }
        }
        switch system {
        case .radar: return options + CompatibilityRow.radar
        case .transistor: return options + CompatibilityRow.transistor
        case .trckr: return options + CompatibilityRow.trckr
        case .geoManager: return options + CompatibilityRow.geoManager
        case .ownTracks: return options + CompatibilityRow.ownTracks
        }
    }

    private static func row(_ option: TrackingOption, _ name: ForeignName) -> CompatibilityRow {
        let remarks = [AliasRemark.of(name.key, in: name.system), name.reading.text].filter { !$0.isEmpty }
        return .option(name.key, [.option(option.key)], remarks.joined(separator: "; "))
    }

    private static func line(_ row: CompatibilityRow) -> String {
        let name = row.kind == .option || row.kind == .callback ? "`\(row.name)`" : row.name
        let here = row.here.isEmpty ? "no counterpart" : row.here.map(\.text).joined(separator: ", ")
        let separator = row.here.isEmpty || row.here == [.builtIn] ? ": " : "; "
        let place = row.remark.isEmpty ? here : here + separator + row.remark
        return "| \(cell(name)) | \(row.kind.rawValue) | \(cell(place)) |"
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

extension CompatibilityRow.Counterpart {
    fileprivate var text: String {
        switch self {
        case .option(let key): "`\(key)`"
        case .profile(let name): "profile `\(name)`"
        case .command(let words): "`trackerd \(words)`"
        case .section(let key): "`\(key)` in the configuration"
        case .record(let kind): "record `\(kind.rawValue)`"
        case .function(let name): "function `\(name)`"
        case .builtIn: "built in"
        }
    }
}

extension ForeignName.Reading {
    fileprivate var text: String {
        switch self {
        case .same, .together: ""
        case .unit(let unit, _): "in \(unit)"
        case .words(let pairs): pairs.map { "`\($0.foreign)` is `\($0.ours)`" }.joined(separator: ", ")
        }
    }
}

/// Remarks about names of other products, in addition to the remarks on how trackerd reads the values.
enum AliasRemark {
    /// Returns the remark about a name, or an empty text if the name has no remark.
    static func of(_ name: String, in system: OptionSystem) -> String {
        remarks.first { $0.system == system && $0.name == name }?.text ?? ""
    }

    private static let remarks: [(system: OptionSystem, name: String, text: String)] = [
        (.radar, "desiredStoppedUpdateInterval", "0 keeps the receiver off"),
        (.radar, "stopDistance", "0 switches the rule off"),
        (.radar, "stoppedGeofenceRadius", "0: no circle"),
        (.radar, "movingGeofenceRadius", "0: no circle"),
        (
            .radar, "useMovingGeofence",
            "trackerd cannot watch a circle while the receiver is off; if a pause of the receiver saves power, trackerd switches the receiver off, and on again as soon as the vehicle can have left the circle"
        ),
        (
            .radar, "fastestMovingUpdateInterval",
            "with `usePassiveFixes`, the option also limits the fixes that other requests cause"
        ),
        (.radar, "startTrackingAfter", "a time in ISO 8601; with null, tracking starts at once"),
        (.radar, "stopTrackingAfter", "a time in ISO 8601; with null, tracking never stops"),
        (.radar, "showBlueBar", "controls a light of the board, if the board has one"),
        (.radar, "foregroundServiceEnabled", "controls a light of the board, if the board has one"),
        (.radar, "foregroundService", "controls a light of the board, if the board has one"),
        (.radar, "syncGeofences", "the server needs the permission `regions`"),
        (
            .radar, "syncGeofencesLimit",
            "trackerd stores up to 1000 regions of each server, and watches this number of the nearest regions"
        ),
        (
            .radar, "desiredAccuracy",
            "on iOS the values are best, hundred metres and a kilometre; on Android they are four priorities"
        ),
        (.transistor, "stationaryRadius", "the radius of the geofence around the parked place"),
        (.transistor, "useSignificantChangesOnly", "not in the product's documentation"),
        (.transistor, "locationTimeout", "not in the product's documentation"),
        (.transistor, "locationUpdateInterval", "not in the product's documentation"),
        (.transistor, "fastestLocationUpdateInterval", "not in the product's documentation"),
        (.transistor, "heartbeatInterval", "not in the product's documentation"),
        (.transistor, "elasticityMultiplier", "not in the product's documentation"),
        (.transistor, "maxDaysToPersist", "not in the product's documentation"),
        (.transistor, "maxRecordsToPersist", "not in the product's documentation"),
        (.trckr, "trackingSchedule", "all five fields of crontab; Trckr supports only hours and days"),
        (
            .geoManager, "timeInterval",
            "trackerd replaces a value outside of 60 to 1800 s with 300 s; the value also sets `desiredStoppedUpdateInterval`"
        ),
        (.geoManager, "distanceInterval", "trackerd replaces a value outside of 200 to 500 m with 300 m"),
        (.geoManager, "accuracy", "trackerd reads an unknown value as `best`"),
        (
            .geoManager, "startTime",
            "text, or hours and minutes; trackerd replaces an invalid time with 00:00, and both times with their defaults if the day would not begin before it ends"
        ),
        (
            .geoManager, "endTime",
            "text, or hours and minutes; the default is 23:59, and includes the last minute"
        ),
        (
            .geoManager, "shouldTrackLastKnownLocation",
            "controls only the report of the location; trackerd always stores the location"
        ),
        (.ownTracks, "locatorInterval", "in move mode on iOS, in significant mode on Android"),
        (.ownTracks, "moveModeLocatorInterval", "in move mode on Android"),
        (
            .ownTracks, "locatorDisplacement",
            "in move mode on iOS; in significant mode on Android, where the interval must also have passed"
        ),
        (.ownTracks, "locatorPriority", "in significant mode on Android"),
        (
            .ownTracks, "pegLocatorFastestIntervalToInterval",
            "if true, the value is the interval of the mode; not in the product's documentation"
        ),
        (.ownTracks, "ignoreInaccurateLocations", "not in the product's documentation"),
        (.ownTracks, "ping", "applies in significant mode"),
    ]
}
