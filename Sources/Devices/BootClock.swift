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
    package func now() -> Instant { Instant(nanoseconds: Self.nanoseconds(of: CLOCK_BOOTTIME)) }

    /// What the system clock says, trusted while the kernel holds it for synchronised.
    package func wallTime() -> (time: Timestamp, isTrusted: Bool) {
        let milliseconds = Self.nanoseconds(of: CLOCK_REALTIME) / 1_000_000
        return (Timestamp(milliseconds: milliseconds), clinux_is_clock_synchronised())
    }

    /// The time that is left until that moment.
    package func realTime(until moment: Instant) -> Duration { max(.zero, moment - now()) }

    private static let kernelBootID = Pseudofile.text(of: "/proc/sys/kernel/random/boot_id")

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
