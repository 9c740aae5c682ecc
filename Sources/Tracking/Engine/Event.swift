package import Motion
package import Quantities
package import TrackingOptions

/// An input of the engine.
package enum Event: Sendable, Hashable {
    /// The program has started, and its state is restored; this is the first event.
    case started
    /// The state from before the start was found late; send it only while `Engine.canResume`.
    indirect case resumed(EngineState)
    /// The receiver reported, with or without a position.
    case fix(Fix)
    /// The accelerometer evaluated one window.
    case motion(MotionVerdict)
    /// An accelerometer became available or unavailable.
    case motionSensor(isThere: Bool)
    /// The ignition line changed, or was read at the start.
    case ignition(isOn: Bool)
    /// A beacon advertisement was received.
    case beacon(BeaconSighting)
    /// The Bluetooth adapter scans again or cannot; if it cannot, silence is no evidence about beacons.
    case beaconScanner(isListening: Bool)
    /// Other options apply from now on, in place of those of the same origin; an empty list withdraws them.
    case options(OptionOrigin, [OptionLayer])
    /// The server sent its regions near this place; the configured ones remain.
    case regions([Region])
    /// The receiver became available or unavailable.
    case receiver(isThere: Bool)
    /// The lines that switch the receiver can be set again, or one of them cannot.
    case receiverLines(canBeSet: Bool)
    /// The time of the system clock, and whether GPS or a time server has set it.
    case wallClock(Timestamp, isTrusted: Bool)
    /// The supply was lost or came back, or the program starts or ends.
    case power(PowerChange)
    /// The vehicle's battery was measured.
    case supply(Volts)
    /// A timer expired; late and cancelled ones may also arrive.
    case timer(TimerKind)
    /// A user or server gave a command.
    case command(Command)
}

/// A command from outside.
package enum Command: Sendable, Hashable {
    /// Change to Moving.
    case move
    /// Change to Stationary.
    case stay
    /// Find out where the vehicle is.
    indirect case locate(LocationRequest)
    /// Start a trip by command, with the metadata to store.
    indirect case startTrip(TripReport)
    /// End the trip that was started by command.
    case endTrip
    /// Set the odometer.
    case odometer(Metres)
    /// Tag the records from now on; nil removes the tag.
    case tag(String?)
    /// Switch tracking on or off.
    case tracking(isOn: Bool)
    /// Switch to one of OwnTracks' modes.
    case mode(MonitoringMode)
    /// Set a waypoint and watch its region.
    indirect case waypoint(Waypoint)
    /// Delete the waypoint with this key.
    case forgetWaypoint(String)
    /// Delete all waypoints.
    case clearWaypoints
}
