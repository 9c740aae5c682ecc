package import Quantities

/// How the vehicle is tracked.
///
/// `OptionTable` has the key, unit, range and meaning of each; a profile is a set of values.
package struct TrackingOptions: Sendable, Hashable {
    /// A fix whose horizontal error is larger is never used.
    package var accuracyLimit = Metres(200)
    /// How long the receiver may search before it is rested.
    package var fixTimeout = Duration.seconds(120)
    /// Never record more often than this while moving.
    package var fastestMovingUpdateInterval = Duration.seconds(1)
    /// Record after this displacement from the last record; zero: no distance rule.
    package var distanceFilter = Metres(10)
    /// Keeps the distance filter the same at all speeds.
    package var disableElasticity = false
    /// How strongly the distance filter grows with speed; zero: not at all.
    package var elasticityMultiplier = 1.0
    /// Motion must last this long before it counts.
    package var motionTriggerDelay = Duration.zero
    /// A stop is confirmed after this long without motion.
    package var stopTimeout = Duration.seconds(300)
    /// Stop detection does not begin before this long without motion.
    package var stopDetectionDelay = Duration.zero
    /// Also stopped when all fixes of this long lie within `stopDistance`; zero: rule off.
    package var stopDuration = Duration.seconds(140)
    /// How far apart the fixes of one place may lie.
    package var stopDistance = Metres(70)
    /// A fix farther than this from the parked place means moving.
    package var stationaryRadius = Metres(150)
    /// Upload at most this often; zero: at once.
    package var desiredSyncInterval = Duration.seconds(20)

    /// Takes the default of every option.
    package init() {}
}
