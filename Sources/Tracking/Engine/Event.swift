package import Motion
package import Quantities
package import TrackingOptions

package enum Event: Sendable, Hashable {
    /// Only `wallClock` and `motionSensor` may come earlier.
    case started
    /// Only while `Engine.canResume` is true, or when the program ends.
    indirect case resumed(EngineState)
    case fix(Fix)
    case motion(MotionVerdict)
    /// Or the program started without one.
    case motionSensor(isThere: Bool)
    /// Or was read at the start.
    case ignition(isOn: Bool)
    /// Or was read at the start; while it is on, the time is private.
    case privateSwitch(isOn: Bool)
    case beacon(BeaconSighting)
    /// Without a scan, the silence of a beacon is no exit.
    case beaconScanner(isListening: Bool)
    /// They replace all of the same origin; empty only removes.
    case options(OptionOrigin, [OptionLayer])
    /// They stay only if the server receives a record while they are in force.
    case remoteOptions([OptionLayer], target: String)
    /// Made after the server's last options came into force.
    case delivered(target: String)
    /// Carried out or refused.
    indirect case order(OrderReport)
    /// Of all servers, at most one list a target, by the targets' names; the configured regions stay.
    case serverRegions([ServerRegions])
    /// Its options, modes, regions, beacons and time zone; the board's settings stay.
    indirect case configuration(EngineConfiguration)
    case receiver(isThere: Bool)
    /// That switch the receiver.
    case receiverLines(canBeSet: Bool)
    /// And whether GPS or a time server has set it.
    case wallClock(Timestamp, isTrusted: Bool)
    /// Lost or back, or the program ends.
    case power(PowerChange)
    case supply(Volts)
    /// Since the program started.
    case transferErrors(Int)
    /// Nil if the disk accepts records again.
    case storage(fault: String?)
    /// Recorded without a decision.
    indirect case health(HealthReport)
    case haltRefused(reason: String)
    /// May be late or cancelled.
    case timer(TimerKind)
    case command(Command)
}

package enum Command: Sendable, Hashable {
    case move
    case stay
    indirect case locate(LocationRequest)
    /// With the metadata to store.
    indirect case startTrip(TripReport)
    case endTrip
    case odometer(Metres)
    /// For all later records.
    case tag(String?)
    case tracking(isOn: Bool)
    /// `lasting` is nil without an end.
    case privacy(isOn: Bool, lasting: Duration? = nil)
    /// At most `AwakePeriod.longest`; nil ends the time.
    case stayAwake(Duration?)
    /// Nil: the configured mode.
    case mode(MonitoringMode?)
    indirect case waypoint(Waypoint)
    case forgetWaypoint(String)
    case clearWaypoints
}
