import CLinux
import Glibc
import Hardware
package import Quantities

/// The real time: `CLOCK_BOOTTIME` for instants, which goes on during suspend, and the system clock for UTC.
package final class BootClock: LoopClock {
    /// The kernel's own name of this boot; empty where there is no /proc.
    package var bootID: String { Self.kernelBootID }

    /// Makes a clock; there is no reason to have two.
    package init() {}

    /// The time since boot.
    package func now() -> Instant { Self.read(CLOCK_BOOTTIME, as: Self.instant) }

    /// What the system clock says, trusted while the kernel holds it for synchronised and the date can be true.
    package func wallTime() -> (time: Timestamp, isTrusted: Bool) {
        let time = Self.read(CLOCK_REALTIME, as: Self.timestamp)
        return (time, Self.plausibleDates.contains(time) && clinux_is_clock_synchronised())
    }

    /// The time that is left until that moment.
    package func realTime(until moment: Instant) -> Duration { max(.zero, moment - now()) }

    private static let kernelBootID = Pseudofile.text(of: "/proc/sys/kernel/random/boot_id")

    /// A date outside of these is an error, of the battery of a clock chip or of a human, whoever set the clock.
    private static let plausibleDates =
        Timestamp(year: 2000, month: 1, day: 1)..<Timestamp(year: 2200, month: 1, day: 1)

    private static func read<Moment>(_ clock: clockid_t, as moment: (Int, Int) -> Moment) -> Moment {
        var time = timespec()
        clock_gettime(clock, &time)
        return moment(time.tv_sec, time.tv_nsec)
    }

    /// The moment after boot that a clock shows, at most a century.
    package static func instant(seconds: Int, nanoseconds: Int) -> Instant {
        Instant(nanoseconds: min(max(0, Int64(seconds)), 100 * year_s) * 1_000_000_000 + Int64(nanoseconds))
    }

    /// The date that a clock shows, at most 10 000 years from 1970.
    package static func timestamp(seconds: Int, nanoseconds: Int) -> Timestamp {
        let bounded = min(max(-10_000 * year_s, Int64(seconds)), 10_000 * year_s)
        return Timestamp(milliseconds: bounded * 1000 + Int64(nanoseconds) / 1_000_000)
    }

    private static let year_s: Int64 = 31_556_952
}
