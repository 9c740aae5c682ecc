import Contracts
import Devices
import Foundation
import Glibc
import Hardware
import Quantities
import Peers
import Testing
import Tracking

@Suite("A receiver behind a real gpsd")
struct RealGpsdTests {
    @Test(
        "A real gpsd delivers the recorded drive unchanged.",
        .enabled(if: RealGpsd.missing.isEmpty, "not installed: \(RealGpsd.missing)"))
    func drive() throws {
        let log = try #require(Bundle.module.url(forResource: "Fixtures/drive", withExtension: "nmea"))
        let drive = try RecordedDrive(log)
        let last = try #require(drive.epochs.last)
        let gpsd = try RealGpsd(playing: log)
        let fixes = listen(to: gpsd, until: last.time).filter { $0.time != nil && $0.coordinate != nil }

        #expect(drive.epochs.count > 20)
        #expect(fixes.count * 10 >= drive.epochs.count * 9)
        #expect(Set(fixes.map(\.time)).count == fixes.count)
        #expect(fixes.count { $0.speed == nil || $0.accuracy == nil } <= 2)
        for fix in fixes { try compare(fix, with: drive) }
    }

    @Test(
        "A real gpsd without the configured device causes a fault that names its device.",
        .enabled(if: RealGpsd.missing.isEmpty, "not installed: \(RealGpsd.missing)"))
    func missingDevice() throws {
        let log = try #require(Bundle.module.url(forResource: "Fixtures/drive", withExtension: "nmea"))
        let gpsd = try RealGpsd(playing: log)
        let receiver = GpsdReceiver(GpsdAddress(host: "127.0.0.1", port: gpsd.port, device: "/dev/gps9"))
        let clock = BootClock()
        let began = clock.now()
        var others: [String] = []
        while others.isEmpty {
            let span = clock.now() - began
            guard span < .seconds(60) else { break }
            // The receiver reports a missing device only after some seconds, so the time in this test runs ten times as fast.
            let now = began + span * 10
            if receiver.wait.interest == nil { receiver.stop(at: now) }
            receiver.start(at: now)
            wait(for: receiver, by: clock)
            _ = receiver.advance(at: now)
            if case .noDevice(_, others: let found)? = receiver.error { others = found }
        }
        #expect(others == [gpsd.device])
    }

    private func compare(_ fix: Fix, with drive: RecordedDrive) throws {
        let time = try #require(fix.time)
        let recorded = try #require(drive[time])
        let coordinate = try #require(fix.coordinate)
        #expect(coordinate.distance(to: recorded.coordinate) < Metres(2))
        // VTG contains the speed in km/h with two decimals.
        if let speed = fix.speed { #expect((speed - recorded.speed).magnitude < MetresPerSecond(0.02)) }
    }

    /// Waits for fixes as the daemon does, and returns the fixes.
    ///
    /// The function ends at the fix with the time `last`, or after a minute without a fix.
    private func listen(to gpsd: RealGpsd, until last: Timestamp) -> [Fix] {
        let clock = BootClock()
        let receiver = GpsdReceiver(GpsdAddress(host: "127.0.0.1", port: gpsd.port))
        var fixes: [Fix] = []
        var heard = clock.now()
        while clock.now() - heard < .seconds(60), fixes.last?.time != last {
            // The receiver's usual pauses are too long for a test, so the test restarts the receiver after each failure.
            if receiver.wait.interest == nil { receiver.stop(at: clock.now()) }
            receiver.start(at: clock.now())
            wait(for: receiver, by: clock)
            let arrived = receiver.advance(at: clock.now()).compactMap(\.fix)
            if !arrived.isEmpty { heard = clock.now() }
            fixes += arrived
        }
        return fixes
    }

    private func wait(for receiver: GpsdReceiver, by clock: BootClock) {
        guard case .read(let descriptor) = receiver.wait.interest else {
            poll(nil, 0, 20)
            return
        }
        let left = receiver.wait.deadline.map { clock.realTime(until: $0).inSeconds * 1000 } ?? 100
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, Int32(min(left, 100)))
    }
}
