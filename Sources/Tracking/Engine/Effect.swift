package import Quantities

/// Everything that the engine can order; carried out in this order, each before the next.
package enum Effect: Sendable, Hashable {
    /// Write this to disk.
    indirect case record(Record)
    /// Switch the receiver, or its supply, on or off.
    case receiver(isOn: Bool)
    /// Try to bring the receiver back, which is lost.
    case recover(ReceiverRecovery)
    /// Let the accelerometer stream, or only wake the program when it feels motion.
    case motionSensor(isStreaming: Bool)
    /// Listen for beacons that much.
    case scan(ScanDuty)
    /// Send `.timer` at that moment; replaces what was armed for that kind.
    case arm(TimerKind, at: Instant)
    /// Forget the timer.
    case cancel(TimerKind)
    /// Begin no upload from now on, or go on with them.
    case uploads(areHeld: Bool)
    /// Light the light on the board, or put it out.
    case light(isLit: Bool)
    /// Halt the board, now that all is on disk; wake it after that long, if its clock does that.
    case halt(wakeAfter: Duration?)
    /// The state has changed.
    case state(isMoving: Bool)
    /// UTC is now known: shift the untrusted timestamps of records made before `before` by `by`.
    case correctTimestamps(before: Instant, by: Duration)
    /// A report of the receiver was not used.
    case refused(Refusal)
    /// Something was decided, or not, and why.
    case decided(Decision)
}
