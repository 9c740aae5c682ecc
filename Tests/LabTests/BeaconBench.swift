import Contracts
import Devices
import Glibc
import Hardware
import Quantities
import Tracking

/// The real scanner on the kernel's `hci0`, in its own loop, in real time.
final class BeaconBench: ScannerBench {
    let blueZScanner = BlueZScanner(BlueZAdapter(0))
    /// The number of calls to the scanner; a busy loop would make this number huge.
    private(set) var calls = 0
    private(set) var events: [Event] = []

    var heard: [Event] { events.filter { if case .beacon = $0 { true } else { false } } }
    private let clock = BootClock()

    var scanner: any BeaconScanner { blueZScanner }
    var now: Instant { clock.now() }

    /// The beacon of `BeaconController`, as the scanner reports it.
    static let beacon = BeaconSighting(
        uuid: "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f", major: 1, minor: 7, rssi: -67, measuredPower: -59)

    /// Returns whether the scan began within 20 s.
    func listen(_ duty: ScanDuty = .full) -> Bool {
        blueZScanner.scan(duty, at: now)
        return run { $0.blueZScanner.isScanning }
    }

    /// Returns whether the scan ended within 20 s.
    func stop() -> Bool {
        blueZScanner.scan(.off, at: now)
        return run { $0.blueZScanner.wait == Wait() }
    }

    func events(during span: Duration) -> [Event] {
        let before = events.count
        _ = run(for: span) { _ in false }
        return Array(events.dropFirst(before))
    }

    /// Returns false if the condition does not become true within the span.
    func run(for span: Duration = .seconds(20), until isSo: (BeaconBench) -> Bool) -> Bool {
        let end = now + span
        while !isSo(self) {
            guard now < end else { return false }
            turn(until: min(end, now + .milliseconds(100)))
        }
        return true
    }

    /// Runs one turn of a loop like the daemon's loop.
    private func turn(until end: Instant) {
        let wait = blueZScanner.wait
        let deadline = wait.deadline.map { min($0, end) } ?? end
        var entry = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
        if case .read(let descriptor) = wait.interest { entry.fd = descriptor }
        let isReady = poll(&entry, 1, Int32((clock.realTime(until: deadline) / .milliseconds(1)).rounded(.up))) > 0
        guard isReady || wait.deadline.map({ $0 <= now }) ?? false else { return }
        calls += 1
        events += blueZScanner.advance(at: now)
    }
}
