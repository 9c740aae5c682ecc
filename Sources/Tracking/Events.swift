package import Motion
package import Quantities

/// Everything that the engine can be told.
package enum Event: Sendable, Hashable {
    /// The program has started, with what was restored; the first event of all.
    case started
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
    /// The receiver can be heard again, or not any more.
    case receiver(isThere: Bool)
    /// What the system clock says, and whether GPS or a time server has set it.
    case wallClock(Timestamp, isTrusted: Bool)
    /// A timer that was armed has run out; late ones and ones that were cancelled may come too.
    case timer(TimerKind)
    /// Somebody gave an order.
    case command(Command)
}

/// An order from outside.
package enum Command: String, Sendable, Hashable, CaseIterable {
    /// Go to Moving.
    case move
    /// Go to Stationary.
    case stay
}

/// The timers that the engine uses, each armed at most once at a time.
package enum TimerKind: String, Sendable, Hashable, CaseIterable {
    /// Time without motion long enough to confirm a stop.
    case stillness
    /// While stationary without an accelerometer: time to look where the vehicle is.
    case check
    /// The receiver has searched long enough.
    case fixTimeout
    /// While moving without an accelerometer: no fix for very long.
    case silence
}
