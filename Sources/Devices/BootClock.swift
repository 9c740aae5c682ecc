import CLinux
import Glibc
import Hardware
package import Quantities

/// Instants come from the kernel's `CLOCK_BOOTTIME`, which also counts the time in suspend; UTC comes from the system clock.
package final class BootClock: LoopClock {
    /// Empty if /proc is missing.
    package var bootID: String { Self.kernelBootID }

    /// The kernel's last answer, and the date of the boot by the system clock at that moment.
    private var kernel: (at: Instant, boot: Timestamp, isTrusted: Bool)?

    /// A time server that takes over the clock without setting it is noticed within this time.
    private static let interval: Duration = .seconds(10)
    /// A change of this size means that the clock was set: a time server's slow correction moves it by at most 0.5 ms a
    /// second, which is 5 ms in `interval`.
    private static let step: Duration = .milliseconds(50)

    package init() {}

    package func now() -> Instant { Self.read(CLOCK_BOOTTIME, as: Self.instant) }

    /// The time is trusted while the kernel reports the clock as synchronised and the date is plausible. Each turn of
    /// the loop reads this clock, so the kernel is asked only when the clock was set, or when `interval` has passed.
    package func wallTime() -> (time: Timestamp, isTrusted: Bool) {
        let (now, time) = (now(), Self.read(CLOCK_REALTIME, as: Self.timestamp))
        let boot = time - (now - .boot)
        if let kernel, now - kernel.at < Self.interval, (boot - kernel.boot).magnitude < Self.step {
            return (time, kernel.isTrusted)
        }
        let isTrusted = Self.plausibleDates.contains(time) && clinux_is_clock_synchronised()
        kernel = (now, boot, isTrusted)
        return (time, isTrusted)
    }

    package func realTime(until moment: Instant) -> Duration { max(.zero, moment - now()) }

    private static let kernelBootID = Pseudofile.text(of: "/proc/sys/kernel/random/boot_id")

    /// A clock chip with an empty battery may report other dates.
    private static let plausibleDates =
        Timestamp(year: 2000, month: 1, day: 1)..<Timestamp(year: 2200, month: 1, day: 1)

    private static func read<Moment>(_ clock: clockid_t, as moment: (Int, Int) -> Moment) -> Moment {
        var time = timespec()
        clock_gettime(clock, &time)
        return moment(time.tv_sec, time.tv_nsec)
    }

    /// The result is limited to the range from 0 to 100 years.
    package static func instant(seconds: Int, nanoseconds: Int) -> Instant {
        Instant(nanoseconds: min(max(0, Int64(seconds)), 100 * year_s) * 1_000_000_000 + Int64(nanoseconds))
    }

    /// The result is limited to 10 000 years before and after 1970.
    package static func timestamp(seconds: Int, nanoseconds: Int) -> Timestamp {
        let bounded = min(max(-10_000 * year_s, Int64(seconds)), 10_000 * year_s)
        return Timestamp(milliseconds: bounded * 1000 + Int64(nanoseconds) / 1_000_000)
    }

    private static let year_s: Int64 = 31_556_952
}
