package import Motion
package import Quantities
package import TrackingOptions

/// An input of the engine.
package enum Event: Sendable, Hashable {
    /// The program has started and restored its state; only `wallClock` and `motionSensor` may come earlier.
    case started
    /// The store found the earlier state only after the start.
    ///
    /// Send this event only while `Engine.canResume` is true, or when the program ends.
    indirect case resumed(EngineState)
    /// The receiver reported, with or without a position.
    case fix(Fix)
    /// The accelerometer evaluated one window.
    case motion(MotionVerdict)
    /// An accelerometer became available or unavailable, or the program started without one.
    case motionSensor(isThere: Bool)
    /// The ignition line changed, or the program read it at the start.
    case ignition(isOn: Bool)
    /// The private switch was turned, or the program read it at the start; while it is on, the time is private.
    case privateSwitch(isOn: Bool)
    /// The scanner received a beacon advertisement.
    case beacon(BeaconSighting)
    /// Whether the Bluetooth adapter can scan; without a scan, the silence of a beacon is no evidence of an exit.
    case beaconScanner(isListening: Bool)
    /// New options replace all options of the same origin; an empty list only removes the old options.
    case options(OptionOrigin, [OptionLayer])
    /// A target's server sent options; these options remain only if the server receives a record while they are in force.
    case remoteOptions([OptionLayer], target: String)
    /// A target's server has received a record that was made after the server's last options came into force.
    case delivered(target: String)
    /// The program has carried out or refused an order of a server.
    indirect case order(OrderReport)
    /// The regions of the targets' servers have changed; the configured regions remain.
    ///
    /// The list contains the regions of all servers, at most one list for each target, ordered by the names of the targets.
    case serverRegions([ServerRegions])
    /// The configuration was read again: its options, modes, regions, beacons and time zone apply; the board's settings
    /// remain.
    indirect case configuration(EngineConfiguration)
    /// The receiver became available or unavailable.
    case receiver(isThere: Bool)
    /// Whether the program can set all lines that switch the receiver.
    case receiverLines(canBeSet: Bool)
    /// The time of the system clock, and whether GPS or a time server has set it.
    case wallClock(Timestamp, isTrusted: Bool)
    /// The supply was lost or came back, or the program ends.
    case power(PowerChange)
    /// The measured voltage of the vehicle's battery.
    case supply(Volts)
    /// The number of transfers to the accelerometer that have failed since the program started.
    case transferErrors(Int)
    /// The reason why the disk does not accept records; nil if the disk accepts records again.
    case storage(fault: String?)
    /// The condition of a part, which the engine records without a decision of its own.
    indirect case health(HealthReport)
    /// The program did not halt the board, for this reason.
    case haltRefused(reason: String)
    /// A timer expired; late and cancelled timers may also arrive.
    case timer(TimerKind)
    /// A user or server gave a command.
    case command(Command)
}

package enum Command: Sendable, Hashable {
    /// Change to Moving.
    case move
    /// Change to Stationary.
    case stay
    /// Determine where the vehicle is.
    indirect case locate(LocationRequest)
    /// Start a trip by command, with the metadata to store.
    indirect case startTrip(TripReport)
    /// End the trip that was started by command.
    case endTrip
    case odometer(Metres)
    /// Add this tag to all later records; nil removes the tag.
    case tag(String?)
    /// Switch tracking on or off.
    case tracking(isOn: Bool)
    /// Begin a private period by command, or end it; `lasting` is nil for a period without an end.
    case privacy(isOn: Bool, lasting: Duration? = nil)
    /// Do not halt a parked board for `haltAfter` during this time, at most `AwakePeriod.longest`; nil ends the time.
    case stayAwake(Duration?)
    /// Switch to one of OwnTracks' modes; nil returns to the configured mode.
    case mode(MonitoringMode?)
    /// Set a waypoint and watch its region.
    indirect case waypoint(Waypoint)
    /// Delete the waypoint with this key.
    case forgetWaypoint(String)
    case clearWaypoints
}
