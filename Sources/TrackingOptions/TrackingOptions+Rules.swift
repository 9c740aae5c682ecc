package import Quantities

extension TrackingOptions {
    /// Around the parked place; motion within it starts no trip.
    package var startCircle: Metres? {
        let bubble = useStoppedGeofence ? stoppedGeofenceRadius : .zero
        let radius = max(bubble, startDistance)
        return radius > .zero ? radius : nil
    }

    /// Around the last record; the next fix is due when the vehicle may have left it.
    package var movingCircle: Metres? {
        useMovingGeofence && movingGeofenceRadius > .zero ? movingGeofenceRadius : nil
    }

    /// `stoppedGeofenceRadius`, or 100 m if it is zero.
    package var provenStart: Metres { stoppedGeofenceRadius > .zero ? stoppedGeofenceRadius : Metres(100) }

    /// `stopDistance`, or 70 m if it is zero.
    package var provenMotion: Metres { stopDistance > .zero ? stopDistance : Metres(70) }

    /// Zero if the rule is off.
    package var placeRuleDuration: Duration { stopDistance > .zero ? stopDuration : .zero }

    package var recordsTrack: Bool {
        desiredMovingUpdateInterval > .zero || distanceFilter > .zero || turnFilter > .zero
            || useSignificantLocationChanges || movingCircle != nil
    }

    package var powersReceiver: Bool { desiredAccuracy.powersReceiver && monitoring.usesReceiver }
}
