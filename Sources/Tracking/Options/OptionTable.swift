package import Quantities

/// One tracking option: a row of the table that the parser, the documents and the tests are made from.
package struct TrackingOption: Sendable {
    /// Where a value lies among the options.
    package typealias Place<Kind> = any WritableKeyPath<TrackingOptions, Kind> & Sendable

    /// How the value is written, where it lies, and between which bounds.
    package enum Value: Sendable {
        case duration(Place<Duration>, ClosedRange<Duration>)
        case metres(Place<Metres>, ClosedRange<Metres>)
        case number(Place<Double>, ClosedRange<Double>)
        case flag(Place<Bool>)
    }

    /// What it is called in the configuration.
    package let key: String
    /// Where and how its value is kept.
    package let value: Value
    /// What it does, in one sentence.
    package let text: String

    private init(_ key: String, _ value: Value, _ text: String) {
        self.key = key
        self.value = value
        self.text = text
    }

    /// All options, in the order in which they are shown.
    package static let all: [TrackingOption] = [
        TrackingOption(
            "accuracyLimit", .metres(\.accuracyLimit, Metres(1)...Metres(100_000)),
            "A fix whose horizontal error is larger is never used."),
        TrackingOption(
            "fixTimeout", .duration(\.fixTimeout, .seconds(1)...day),
            "How long the receiver may search before it is rested."),
        TrackingOption(
            "fastestMovingUpdateInterval", .duration(\.fastestMovingUpdateInterval, .zero...day),
            "Never record more often than this while moving."),
        TrackingOption(
            "distanceFilter", .metres(\.distanceFilter, .zero...Metres(100_000)),
            "Record after this displacement from the last record; 0: no distance rule."),
        TrackingOption(
            "disableElasticity", .flag(\.disableElasticity), "Keep the distance filter the same at all speeds."),
        TrackingOption(
            "elasticityMultiplier", .number(\.elasticityMultiplier, 0...100),
            "How strongly the distance filter grows with speed; 0: not at all."),
        TrackingOption(
            "motionTriggerDelay", .duration(\.motionTriggerDelay, .zero...day),
            "Motion must last this long before it counts."),
        TrackingOption(
            "stopTimeout", .duration(\.stopTimeout, .seconds(1)...day),
            "A stop is confirmed after this long without motion."),
        TrackingOption(
            "stopDetectionDelay", .duration(\.stopDetectionDelay, .zero...day),
            "Stop detection does not begin before this long without motion."),
        TrackingOption(
            "stopDuration", .duration(\.stopDuration, .zero...day),
            "Also stopped when all fixes of this long lie within stopDistance; 0: rule off."),
        TrackingOption(
            "stopDistance", .metres(\.stopDistance, Metres(1)...Metres(100_000)),
            "How far apart the fixes of one place may lie."),
        TrackingOption(
            "stationaryRadius", .metres(\.stationaryRadius, Metres(25)...Metres(100_000)),
            "A fix farther than this from the parked place means moving."),
        TrackingOption(
            "desiredSyncInterval", .duration(\.desiredSyncInterval, .zero...day),
            "Upload at most this often; 0: at once."),
    ]

    private static let day = Duration.seconds(86_400)
}
