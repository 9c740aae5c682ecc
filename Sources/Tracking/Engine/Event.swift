package import Motion
package import Quantities
package import TrackingOptions

package enum Event: Sendable, Hashable {
    /// Only `wallClock`, `motionSensor` and `serverRegions` may come earlier.
    case started
    /// The earlier state was found only after the start. May come only while `Engine.canResume` is true, or at the end.
    indirect case resumed(EngineState)
    case fix(Fix)
    case motion(MotionVerdict)
    /// The accelerometer appeared or disappeared, or the program started without one.
    case motionSensor(isThere: Bool)
    /// The ignition line changed, or was read at the start.
    case ignition(isOn: Bool)
    /// The switch changed, or was read at the start; while it is on, the time is private.
    case privateSwitch(isOn: Bool)
    case beacon(BeaconSighting)
    /// Whether the adapter scans. Without a scan, the silence of a beacon is no exit.
    case beaconScanner(isListening: Bool)
    /// The layers replace all of the same origin; an empty list only removes them.
    case options(OptionOrigin, [OptionLayer])
    /// The options stay only if the server receives a record while they are in force.
    case remoteOptions([OptionLayer], target: String)
    /// The server has received a record that was made after its last options came into force.
    case delivered(target: String)
    indirect case order(OrderReport)
    /// The regions of all servers, at most one list a target, ordered by the targets' names; the configured regions stay.
    case serverRegions([ServerRegions])
    /// Options, modes, regions, beacons and time zone of the new configuration apply; the settings of the board stay.
    indirect case configuration(EngineConfiguration)
    case receiver(isThere: Bool)
    /// Whether the lines that switch the receiver can be set.
    case receiverLines(canBeSet: Bool)
    /// The system clock, and whether GPS or a time server has set it.
    case wallClock(Timestamp, isTrusted: Bool)
    /// The supply was lost or is back, or the program ends.
    case power(PowerChange)
    case supply(Volts)
    /// The number of failed transfers since the program started.
    case transferErrors(Int)
    /// Nil if the disk accepts records again.
    case storage(fault: String?)
    /// The report is recorded without a decision.
    indirect case health(HealthReport)
    case haltRefused(reason: String)
    /// The timer may be late or cancelled.
    case timer(TimerKind)
    case command(Command)
}

package enum Command: Sendable, Hashable {
    case move
    case stay
    indirect case locate(LocationRequest)
    /// The report has the metadata to store.
    indirect case startTrip(TripReport)
    case endTrip
    case odometer(Metres)
    /// The tag is for all later records.
    case tag(String?)
    case tracking(isOn: Bool)
    /// Without `lasting`, the period has no end.
    case privacy(isOn: Bool, lasting: Duration? = nil)
    /// At most `AwakePeriod.longest`; nil ends the time.
    case stayAwake(Duration?)
    /// Nil stands for the configured mode.
    case mode(MonitoringMode?)
    indirect case waypoint(Waypoint)
    case forgetWaypoint(String)
    case clearWaypoints
}
