package import Quantities

/// Values that the rules derive from several options together.
extension TrackingOptions {
    /// The radius around the parked place within which motion starts no trip; nil if motion starts one at once.
    package var startCircle: Metres? {
        let bubble = useStoppedGeofence ? stoppedGeofenceRadius : .zero
        let radius = max(bubble, startDistance)
        return radius > .zero ? radius : nil
    }

    /// The radius of the circle around the last record that requests the next fix at its border; nil without such a circle.
    package var movingCircle: Metres? {
        useMovingGeofence && movingGeofenceRadius > .zero ? movingGeofenceRadius : nil
    }

    /// The displacement that proves a start real, even if no bubble has a radius.
    package var provenStart: Metres { stoppedGeofenceRadius > .zero ? stoppedGeofenceRadius : Metres(100) }

    /// The displacement that proves that a still vehicle moves, even if the place rule has no distance.
    package var provenMotion: Metres { stopDistance > .zero ? stopDistance : Metres(70) }

    /// The duration of the place rule; zero if either of its two numbers switches the rule off.
    package var placeRuleDuration: Duration { stopDistance > .zero ? stopDuration : .zero }

    /// Whether any rule makes points of the track while the vehicle moves.
    package var recordsTrack: Bool {
        desiredMovingUpdateInterval > .zero || distanceFilter > .zero || turnFilter > .zero
            || useSignificantLocationChanges || movingCircle != nil
    }
}
