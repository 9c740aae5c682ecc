import Contracts
import Devices
import Glibc
import Hardware
import Quantities
import Tracking

/// A `GpsdReceiver` with a mocked gpsd, real sockets and virtual time.
final class MockBench: ReceiverBench {
    /// The time in milliseconds that the bench allows for bytes to cross the loopback; a connection may take longer.
    static let crossing: Int32 = 10
    static let connecting: Int32 = 2000
    /// The largest number of turns in which an expected event must happen.
    static let patience = 500

    var gpsd: MockGpsd
    let gpsdReceiver: GpsdReceiver
    private(set) var now = Instant(seconds: 1000)
    /// The number of calls to the receiver; a busy loop would make this number huge.
    private(set) var calls = 0
    private(set) var events: [Event] = []
    private var second = 0

    /// The device that the loop calls: the receiver itself, or its wrapper.
    let receiver: any Receiver
    var fixes: [Fix] { events.compactMap(\.fix) }
    var presence: [Bool] {
        events.compactMap {
            guard case .receiver(let isThere) = $0 else { return nil }
            return isThere
        }
    }

    init(
        _ script: GpsdScript = GpsdScript(), device: String? = nil,
        wrapping wrap: (GpsdReceiver) -> any Receiver = { $0 }
    ) throws {
        gpsd = try MockGpsd(script)
        gpsdReceiver = GpsdReceiver(GpsdAddress(host: "127.0.0.1", port: gpsd.port, device: device))
        receiver = wrap(gpsdReceiver)
    }

    /// Starts the receiver, and waits until it has requested reports.
    func start() -> Bool {
        gpsdReceiver.start(at: now)
        return run { $0.gpsd.isWatched }
    }

    /// Runs without advancing virtual time; returns false if the condition does not become true.
    func run(until isSo: (MockBench) -> Bool) -> Bool {
        for _ in 0..<Self.patience {
            if isSo(self) { return true }
            turn()
        }
        return isSo(self)
    }

    /// Runs until two turns in succession have no effect. The number of turns is limited, so that a busy loop also ends; the
    /// test detects it by `calls`.
    func settle() {
        var quiet = 0
        for _ in 0..<10_000 where quiet < 2 { quiet = turn() || gpsd.isSpeaking ? 0 : quiet + 1 }
    }

    /// Lets virtual time pass, and calls the receiver at each deadline.
    func pass(_ span: Duration) {
        let end = now + span
        settle()
        while let deadline = receiver.wait.deadline, deadline <= end {
            now = max(now, deadline)
            settle()
        }
        now = end
    }

    /// While a client watches, the mock sends one report per second.
    func events(during span: Duration) -> [Event] {
        let before = events.count
        for _ in 0..<Int(span.inSeconds) {
            settle()
            second += 1
            if gpsd.isWatched { gpsd.say(GpsdScript.report(second: second)) }
            pass(.seconds(1))
        }
        return Array(events.dropFirst(before))
    }

    /// Runs one turn of a loop like the daemon's loop; returns whether this turn called the receiver.
    @discardableResult
    private func turn() -> Bool {
        gpsd.pump()
        let wait = receiver.wait
        var isDue = wait.deadline.map { $0 <= now } ?? false
        if case .read(let descriptor) = wait.interest {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let patience = gpsdReceiver.isConnected ? Self.crossing : Self.connecting
            isDue = poll(&entry, 1, isDue ? 0 : patience) > 0 || isDue
        }
        guard isDue else { return false }
        calls += 1
        events += receiver.advance(at: now)
        return true
    }
}
