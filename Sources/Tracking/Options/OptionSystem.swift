/// The systems whose options are read under their own names.
package enum OptionSystem: String, Sendable, Hashable, CaseIterable {
    /// The Radar SDK, both platforms.
    case radar
    /// Transistor's background geolocation.
    case transistor
    /// Trckr.
    case trckr
    /// The GeoManager of an analytics SDK.
    case geoManager
    /// OwnTracks, both platforms.
    case ownTracks

    /// What it calls itself.
    package var title: String {
        switch self {
        case .radar: "Radar"
        case .transistor: "Transistor"
        case .trckr: "Trckr"
        case .geoManager: "GeoManager"
        case .ownTracks: "OwnTracks"
        }
    }

    /// What it knows beside tracking options: read over, because it says nothing about how the vehicle is tracked.
    var keysWithoutEffect: [String] {
        switch self {
        case .radar: ["rampUpRadius", "batchInterval", "batchSize", "useMotion", "usePressure"]
        case .transistor:
            [
                "url", "autoSync", "autoSyncThreshold", "batchSync", "maxBatchSize", "headers", "params", "debug",
                "logLevel", "logMaxDays", "stopOnTerminate", "startOnBoot", "foregroundService", "notification",
                "preventSuspend", "reset", "showsBackgroundLocationIndicator", "locationAuthorizationRequest",
            ]
        case .trckr: ["trackingEnabled"]
        case .geoManager: []
        case .ownTracks:
            [
                "_type", "_id", "mode", "host", "port", "tls", "ws", "url", "auth", "username", "password", "deviceId",
                "clientId", "tid", "pubTopicBase", "pubRetain", "pubQos", "sub", "subTopic", "subQos", "cleanSession",
                "keepalive", "mqttProtocolLevel", "extendedData", "adapt", "downgrade", "cmd", "remoteConfiguration",
                "allowRemoteLocation", "encryptionKey", "connectionTimeoutSeconds", "httpHeaders", "positions", "days",
                "waypoints",
            ]
        }
    }

    /// The parts into which it sorts its options; Transistor does since version 5.
    var groups: [String] {
        switch self {
        case .transistor: ["geolocation", "activity", "app", "http", "persistence", "logger"]
        case .radar, .trckr, .geoManager, .ownTracks: []
        }
    }
}
