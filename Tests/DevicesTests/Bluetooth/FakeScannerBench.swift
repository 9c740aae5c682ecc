import Contracts
import Devices
import Hardware
import Quantities
import TestSupport
import Tracking

/// A `BlueZScanner` on a simulated adapter with a beacon within range, in virtual time.
final class FakeScannerBench: ScannerBench {
    let adapter = FakeAdapter()
    let blueZScanner: BlueZScanner
    private(set) var now = Instant(seconds: 1000)
    /// The number of calls to the scanner; a busy loop would make this number huge.
    private(set) var calls = 0

    var scanner: any BeaconScanner { blueZScanner }

    /// The beacon, as the scanner reports it.
    static let beacon = BeaconSighting(
        uuid: HCISamples.beaconUUID, major: 1, minor: 7, rssi: -67, measuredPower: -59)
    static let interval = Duration.milliseconds(300)

    init() { blueZScanner = BlueZScanner(adapter) }

    /// Starts a scan; returns whether the scan runs at once.
    func listen(_ duty: ScanDuty = .full) -> Bool {
        blueZScanner.scan(duty, at: now)
        _ = settle()
        return blueZScanner.isScanning
    }

    func events(during span: Duration) -> [Event] {
        let end = now + span
        var events: [Event] = []
        while now < end {
            events += settle()
            now = now + Self.interval
            adapter.hear(HCISamples.beaconData, rssi: -67)
        }
        return events + settle()
    }

    /// Calls the scanner until it has no more work at this moment.
    func settle() -> [Event] {
        var events: [Event] = []
        for _ in 0..<100_000 {
            let isDue = blueZScanner.wait.deadline.map { $0 <= now } ?? false
            guard isDue || adapter.isReadable else { break }
            calls += 1
            events += blueZScanner.advance(at: now)
        }
        return events
    }

    /// Lets time pass without any advertisement, and calls the scanner at each deadline.
    func pass(_ span: Duration) {
        let end = now + span
        _ = settle()
        while let deadline = blueZScanner.wait.deadline, deadline <= end {
            now = max(now, deadline)
            _ = settle()
        }
        now = end
    }
}
