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
    package func now() -> Instant {
        let time = Self.time(of: CLOCK_BOOTTIME)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// What the system clock says, trusted while the kernel holds it for synchronised.
    package func wallTime() -> (time: Timestamp, isTrusted: Bool) {
        let time = Self.time(of: CLOCK_REALTIME)
        // In nanoseconds the date of a clock that is set to the year 2262 or later would overflow.
        let milliseconds = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000)
        let date = Timestamp(milliseconds: milliseconds.overflow ? .max : milliseconds.partialValue)
        return (date + .nanoseconds(Int64(time.tv_nsec)), clinux_is_clock_synchronised())
    }

    /// The time that is left until that moment.
    package func realTime(until moment: Instant) -> Duration { max(.zero, moment - now()) }

    private static let kernelBootID = Pseudofile.text(of: "/proc/sys/kernel/random/boot_id")

    private static func time(of clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
