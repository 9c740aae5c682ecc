package import Quantities

/// Everything that the engine can order; carried out in this order, each before the next.
package enum Effect: Sendable, Hashable {
    /// Write this to disk.
    case record(Record)
    /// Switch the receiver, or its supply, on or off.
    case receiver(isOn: Bool)
    /// Let the accelerometer stream, or only wake the program when it feels motion.
    case motionSensor(isStreaming: Bool)
    /// Send `.timer` at that moment; replaces what was armed for that kind.
    case arm(TimerKind, at: Instant)
    /// Forget the timer.
    case cancel(TimerKind)
    /// The state has changed.
    case state(isMoving: Bool)
    /// A report of the receiver was not used.
    case refused(Refusal)
    /// Something was decided, or not, and why.
    case decided(Decision)
    /// UTC has become known: the clock was behind by so much until then, and what it dated since boot is to be put right.
    case mend(before: Instant, by: Duration)
}
