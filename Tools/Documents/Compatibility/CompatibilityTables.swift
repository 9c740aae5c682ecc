package import Compatibility
import TrackingOptions
import Tracking

/// The tables of docs/compatibility.md: the features of other products and their counterparts in trackerd.
package enum CompatibilityTables {
    package static var text: String {
        OptionSystem.allCases.map { system in
            let header = ["## \(system.title)", "", "| \(system.title) | trackerd |", "| --- | --- |"]
            return (header + lines(of: system)).joined(separator: "\n")
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

    /// The lines of a product's table, first the names that are ours too. Rules and features without a counterpart are left
    /// out.
    private static func lines(of system: OptionSystem) -> [String] {
        let shown = rows(of: system).filter { $0.kind != .rule && !$0.here.isEmpty }
        let rows = shown.map { (name: name(of: $0), place: place(of: $0)) }
        let same = rows.filter { $0.name == $0.place }.map(\.name)
        var groups: [(names: [String], place: String)] = same.isEmpty ? [] : [(same, "the same option")]
        for row in rows where row.name != row.place {
            if let index = groups.firstIndex(where: { $0.place == row.place }) {
                groups[index].names.append(row.name)
            } else {
                groups.append(([row.name], row.place))
            }
        }
        return groups.map { "| \(cell($0.names.joined(separator: ", "))) | \(cell($0.place)) |" }
    }

    private static func name(of row: CompatibilityRow) -> String {
        row.kind == .option || row.kind == .callback ? "`\(row.name)`" : row.name
    }

    private static func place(of row: CompatibilityRow) -> String {
        let here = row.here.map(\.text).joined(separator: ", ")
        return row.remark.isEmpty ? here : here + "; " + row.remark
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
    /// Empty if the name has no remark.
    static func of(_ name: String, in system: OptionSystem) -> String {
        remarks.first { $0.system == system && $0.name == name }?.text ?? ""
    }

    private static let remarks: [(system: OptionSystem, name: String, text: String)] = [
        (.radar, "desiredStoppedUpdateInterval", "0 keeps the receiver off"),
        (.radar, "stopDistance", "0 switches the rule off"),
        (.radar, "stoppedGeofenceRadius", "0: no circle"),
        (.radar, "movingGeofenceRadius", "0: no circle"),
        (.radar, "useMovingGeofence", "the receiver goes on again as soon as the vehicle can have left the circle"),
        (
            .radar, "fastestMovingUpdateInterval",
            "with `usePassiveFixes` it also limits the fixes taken for another reason"
        ),
        (.radar, "startTrackingAfter", "ISO 8601; null: at once"),
        (.radar, "stopTrackingAfter", "ISO 8601; null: never"),
        (.radar, "showBlueBar", "a light on the board"),
        (.radar, "foregroundServiceEnabled", "a light on the board"),
        (.radar, "foregroundService", "a light on the board"),
        (.radar, "syncGeofences", "the server needs the permission `regions`"),
        (.radar, "syncGeofencesLimit", "trackerd stores up to 1000 regions of each server"),
        (.radar, "desiredAccuracy", "a distance on iOS, a priority on Android"),
        (.transistor, "stationaryRadius", "the radius of the geofence around the parked place"),
        (.trckr, "trackingSchedule", "all five fields of crontab"),
        (.geoManager, "timeInterval", "300 s if outside 60 to 1800 s; also sets `desiredStoppedUpdateInterval`"),
        (.geoManager, "distanceInterval", "300 m if outside 200 to 500 m"),
        (.geoManager, "accuracy", "an unknown value is `best`"),
        (
            .geoManager, "startTime",
            "text, or hours and minutes; an invalid time becomes 00:00; if the start is not before the end, both get their defaults"
        ),
        (.geoManager, "endTime", "text, or hours and minutes; 23:59 includes the last minute"),
        (.geoManager, "shouldTrackLastKnownLocation", "affects only what is reported; the location is always stored"),
        (.ownTracks, "locatorInterval", "in move mode on iOS, in significant mode on Android"),
        (.ownTracks, "moveModeLocatorInterval", "in move mode on Android"),
        (
            .ownTracks, "locatorDisplacement",
            "in move mode on iOS; in significant mode on Android, where the interval must also have passed"
        ),
        (.ownTracks, "locatorPriority", "in significant mode on Android"),
        (.ownTracks, "pegLocatorFastestIntervalToInterval", "true sets it to the interval of the mode"),
        (.ownTracks, "ping", "applies in significant mode"),
    ]
}
