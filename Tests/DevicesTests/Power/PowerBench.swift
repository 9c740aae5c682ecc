import Devices
import Hardware
import Quantities
import TestSupport
import Tracking

/// A powered receiver with simulated lines and a mocked control socket, in virtual time.
final class PowerBench {
    static let supply = LineReference(chip: "pinctrl-lab", line: .name("GPIO27"))
    static let transmit = LineReference(chip: "pinctrl-lab", line: .name("GPIO14"))
    static let reset = LineReference(chip: "pinctrl-lab", line: .name("GPIO5"), isActiveLow: true)

    let gpsd = MockGpsdControl()
    let lines = SimulatedLines()
    let inner = StubReceiver()
    private(set) var receiver: PoweredReceiver?
    private(set) var now = Instant(seconds: 1000)
    private(set) var events: [Event] = []

    init(
        _ kind: ReceiverPowerWiring.Kind = .rail(supply), transmit: LineReference? = transmit,
        reset: LineReference? = nil, device: String? = "/dev/gps0", hasControl: Bool = true
    ) {
        let wiring = ReceiverPowerWiring(
            kind: kind, powerUpTime: .milliseconds(500), transmit: transmit, reset: reset,
            gpsdControl: hasControl ? gpsd.path : nil)
        receiver = PoweredReceiver(inner, wiring, device: device, on: lines)
    }

    func start() {
        receiver?.start(at: now)
        settle()
    }

    func stop() {
        receiver?.stop(at: now)
        settle()
    }

    /// Handles all events that are due now; the virtual time does not pass.
    func settle() {
        for _ in 0..<20 {
            gpsd.pump()
            events += receiver?.advance(at: now) ?? []
        }
    }

    /// Lets virtual time pass, and calls the receiver at each deadline; returns the number of deadlines.
    @discardableResult
    func pass(_ span: Duration) -> Int {
        let end = now + span
        var wakeUps = 0
        settle()
        while let deadline = receiver?.wait.deadline, deadline <= end {
            now = max(now, deadline)
            wakeUps += 1
            settle()
        }
        now = end
        return wakeUps
    }

    var isSupplied: Bool { lines.isHigh(Self.supply) }
}

final class StubReceiver: Receiver {
    let name = "stub"
    var fault: (any Fault)?
    var wait = Wait()
    var coming: [Event] = []
    var remarks: [String] = []
    private(set) var calls: [String] = []

    func start(at now: Instant) { calls.append("start") }
    func stop(at now: Instant) { calls.append("stop") }

    func takeRemarks() -> [String] { remarks }

    func advance(at now: Instant) -> [Event] {
        defer { coming = [] }
        return coming
    }
}
