package import Motion
package import Quantities
package import TrackingOptions

/// Everything that the engine can be told.
package enum Event: Sendable, Hashable {
    /// The program has started, with what was restored; the first event of all.
    case started
    /// The state of before the start was found late; handle it while `Engine.canResume`.
    case resumed(EngineState)
    /// The receiver reported; also reports without a position come here.
    case fix(Fix)
    /// The accelerometer judged one window.
    case motion(MotionVerdict)
    /// An accelerometer has begun to answer, or does so no longer.
    case motionSensor(isThere: Bool)
    /// The ignition line changed, or was read at the start.
    case ignition(isOn: Bool)
    /// A beacon was heard.
    case beacon(BeaconSighting)
    /// The Bluetooth adapter can listen again, or cannot: silence says nothing of beacons then.
    case beaconScanner(isListening: Bool)
    /// Other options are to hold from now on, in place of those of that origin; none withdraws them.
    case options(OptionOrigin, [OptionLayer])
    /// The server's regions near here, beside those that are set up here.
    case regions([Region])
    /// The receiver can be heard again, or not any more.
    case receiver(isThere: Bool)
    /// The lines by which the receiver is switched can be set again, or one of them cannot.
    case receiverLines(canBeSet: Bool)
    /// What the system clock says, and whether GPS or a time server has set it.
    case wallClock(Timestamp, isTrusted: Bool)
    /// The supply, or the program itself, goes or comes.
    case power(PowerChange)
    /// The vehicle's battery was measured.
    case supply(Volts)
    /// A timer that was armed has run out; late ones and ones that were cancelled may come too.
    case timer(TimerKind)
    /// Somebody gave an order.
    case command(Command)
}

/// An order from outside.
package enum Command: Sendable, Hashable {
    /// Go to Moving.
    case move
    /// Go to Stationary.
    case stay
    /// Say where the vehicle is.
    case locate(LocationRequest)
    /// Start a trip of one's own, with what is to be kept with it.
    case startTrip(TripReport)
    /// End the trip that was started.
    case endTrip
    /// Set the odometer.
    case odometer(Metres)
    /// Tag what is recorded from now on; nothing: no tag.
    case tag(String?)
    /// Switch tracking on or off altogether.
    case tracking(isOn: Bool)
    /// Switch to one of OwnTracks' modes.
    case mode(MonitoringMode)
    /// Set a waypoint, and watch what it calls for.
    case waypoint(Waypoint)
    /// Forget the waypoint of this key.
    case forgetWaypoint(String)
    /// Forget all waypoints.
    case clearWaypoints
}
