import TrackingOptions
import Compatibility
import Tracking

/// All names of options, presets, modes and calls in each product's documentation.
enum CompatibilityNames {
    static let all: [(OptionSystem, [String])] = [
        (.radar, radar), (.transistor, transistor), (.trckr, trckr), (.geoManager, geoManager), (.ownTracks, ownTracks),
    ]

    private static let radar = [
        "desiredStoppedUpdateInterval", "fastestStoppedUpdateInterval", "desiredMovingUpdateInterval",
        "fastestMovingUpdateInterval", "desiredSyncInterval", "desiredAccuracy", "stopDuration", "stopDistance",
        "startTrackingAfter", "stopTrackingAfter", "replay", "sync", "syncLocations", "showBlueBar",
        "useStoppedGeofence",
        "stoppedGeofenceRadius", "useMovingGeofence", "movingGeofenceRadius", "syncGeofences", "syncGeofencesLimit",
        "useVisits", "useSignificantLocationChanges", "beacons", "foregroundService", "foregroundServiceEnabled",
        "foregroundService.text", "foregroundService.title", "foregroundService.icon", "foregroundService.iconString",
        "foregroundService.iconColor", "foregroundService.updatesOnly", "foregroundService.activity",
        "foregroundService.importance", "foregroundService.id", "foregroundService.channelName", "preset",
        "presetContinuous", "presetResponsive", "presetEfficient", "CONTINUOUS", "RESPONSIVE", "EFFICIENT",
        "startTracking", "stopTracking", "setForegroundServiceOptions",
    ]

    private static let transistor = [
        "motionTriggerDelay", "stationaryRadius", "stopTimeout", "activity.stopDetectionDelay", "distanceFilter",
        "desiredAccuracy", "geolocation.disableElasticity", "http.url", "stopOnTerminate",
    ]

    private static let trckr = [
        "shared", "delegate", "locations", "lastLocation", "trackingEnabled", "locationServicesEnabled",
        "DesiredAccuracy",
        "StationaryDistance", "StationaryInterval", "StationarySpeed", "trackingSchedule", "tagForOffScheduleTracking",
        "isWithinSchedule", "stationary(locations:interval:after:)", "TrckrDelegate.shouldTrackOutsideSchedule()",
        "NSMotionUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription", "NSLocationAlwaysUsageDescription",
        "NSLocationWhenInUseUsageDescription", "UIBackgroundModes", "CLLocationManagerDelegate",
    ]

    private static let geoManager = [
        "shouldTrackLastKnownLocation", "startLocationCollection()", "startLocationCollection(configuration:)",
        "stopLocationCollection()", "getConfiguration()", "requestLocation", "requestLocation(actionParameters:)",
        "GeoManager.shared", "GeoConfiguration", "GeoTime", "timeInterval", "distanceInterval", "accuracy", "startTime",
        "endTime", "actionType", "actionLog", "actionId", "actionDuration", "additionalLog",
    ]

    private static let ownTracks = [
        "quiet", "manual", "significant, iOS", "significant, Android", "move, iOS", "move, Android",
        "locatorDisplacement",
        "locatorInterval", "moveModeLocatorInterval", "locatorPriority", "monitoring", "ping",
    ]
}
