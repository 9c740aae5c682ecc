import Quantities
import TrackingOptions

/// Trckr.
enum Trckr {
    static let keysWithoutEffect = ["trackingEnabled"]
}

extension ForeignName {
    static let trckr: [ForeignName] =
        shared(.trckr, ["trackingSchedule", "tagForOffScheduleTracking"]) + [
            ForeignName(.trckr, "DesiredAccuracy", means: "accuracyLimit"),
            ForeignName(.trckr, "StationaryInterval", means: "stationaryInterval"),
            ForeignName(.trckr, "StationaryDistance", means: "stationaryDistance"),
            ForeignName(.trckr, "StationarySpeed", means: "stationarySpeed"),
            ForeignName(.trckr, "shouldTrackOutsideSchedule", means: "trackOutsideSchedule"),
        ]
}

extension Profile {
    /// A window of fixes decides, as with Trckr.
    static let trckr = Profile(
        "trckr", "A window of fixes shows whether the vehicle stands, as with Trckr.",
        .from(
            "Trckr, defaults",
            [
                "accuracyLimit": .metres(200), "stationaryInterval": .seconds(120),
                "stationaryDistance": .metres(150), "stationarySpeed": .metresPerSecond(0.85),
            ]),
        .from("Trckr has no place rule", ["stopDuration": .seconds(0)]),
        .from("Trckr knows no elasticity", ["disableElasticity": .flag(true)]))
}
