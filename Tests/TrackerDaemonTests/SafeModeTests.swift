import Hardware
import Quantities
import Testing

@testable import Control
@testable import TrackerDaemon

@Suite("The decision on safe mode")
struct SafeModeTests {
    private let now = Instant.boot + .seconds(10_000)

    private func starts(_ ages_s: [Int]) -> [Instant] { ages_s.map { now - .seconds($0) } }

    @Test("Five starts without a proper end within an hour cause safe mode; fewer or older starts do not.")
    func limit() {
        #expect(SafeMode(after: starts([3600, 900, 800, 20, 5]), at: now)?.failures == 5)
        #expect(SafeMode(after: starts([900, 800, 20, 5]), at: now) == nil)
        #expect(SafeMode(after: starts([3601, 900, 800, 20, 5]), at: now) == nil)
        #expect(SafeMode(after: [], at: now) == nil)
    }

    @Test("After safe mode, one more crash within the hour causes safe mode again, but a later crash does not.")
    func attempt() {
        let after = SafeMode.attempt(at: now)
        #expect(SafeMode(after: after, at: now) == nil)
        #expect(SafeMode(after: after + [now], at: now + .seconds(60)) != nil)
        #expect(SafeMode(after: after + [now], at: now + .seconds(3700)) == nil)
    }

    @Test("If a target was served at each crash, only these targets are left out, also after the next crash.")
    func targets() throws {
        let ages = starts([4000, 900, 800, 20, 5, 1])
        let mode = try #require(SafeMode(after: ages, serving: [nil, "b", "a", "b", "b", "a"], at: now))
        #expect(mode.targets == ["a", "b"] && !mode.stopsScanner)
        #expect(mode.leavesOut("a") && !mode.leavesOut("c"))
        #expect(
            mode.cause
                == "trackerd ended unexpectedly 5 times within an hour while it served a, b, so it does not upload there"
        )
        let next = SafeMode(after: SafeMode.attempt(at: now) + [now], serving: mode.attemptTargets + ["b"], at: now)
        #expect(next?.targets == ["a", "b"])
        for serving in [["b", "b", "b", "b", "b", nil], ["b", "b", nil, "b", "b", "b"], []] {
            let mode = try #require(SafeMode(after: ages, serving: serving, at: now))
            #expect(mode.targets.isEmpty && mode.stopsScanner && mode.leavesOut("c"))
        }
    }

    @Test("In safe mode, the status states what is off, until when, and how to find the cause.")
    func words() throws {
        let mode = try #require(SafeMode(after: starts([9, 8, 7, 6, 5, 4]), at: now))
        #expect(
            mode.description == """
                safe mode: trackerd ended unexpectedly 6 times within an hour, so it records, but does not upload or scan for \
                beacons. After 30 minutes, trackerd tries to upload and to scan again. `journalctl -u trackerd` shows the \
                cause. To try earlier, restart trackerd.
                """)
        #expect(SafeMode.duration == .seconds(1800))
    }
}
