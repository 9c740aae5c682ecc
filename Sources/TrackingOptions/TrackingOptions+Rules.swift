package import Quantities

/// Values that the rules derive from several options together.
extension TrackingOptions {
    /// The radius around the parked place within which motion starts no trip; nil if there is no such circle.
    package var startCircle: Metres? {
        let bubble = useStoppedGeofence ? stoppedGeofenceRadius : .zero
        let radius = max(bubble, startDistance)
        return radius > .zero ? radius : nil
    }

    /// The radius of the circle around the last record; nil if there is no circle.
    ///
    /// The next fix is due when the vehicle may have left the circle.
    package var movingCircle: Metres? {
        useMovingGeofence && movingGeofenceRadius > .zero ? movingGeofenceRadius : nil
    }

    /// The displacement that proves that a start is real: `stoppedGeofenceRadius`, or 100 m if that radius is zero.
    package var provenStart: Metres { stoppedGeofenceRadius > .zero ? stoppedGeofenceRadius : Metres(100) }

    /// The displacement that proves motion although the accelerometer is still: `stopDistance`, or 70 m if that distance is
    /// zero.
    package var provenMotion: Metres { stopDistance > .zero ? stopDistance : Metres(70) }

    /// The duration of the place rule; zero if `stopDuration` or `stopDistance` switches the rule off.
    package var placeRuleDuration: Duration { stopDistance > .zero ? stopDuration : .zero }

    /// Whether any rule records track points while the vehicle moves.
    package var recordsTrack: Bool {
        desiredMovingUpdateInterval > .zero || distanceFilter > .zero || turnFilter > .zero
            || useSignificantLocationChanges || movingCircle != nil
    }
}
