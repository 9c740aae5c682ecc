import Contracts
@testable import Delivery
import Glibc
import Peers
import Quantities
import Synchronization
import Testing
import Tracking
@testable import Upload

@Suite("The network of the computer")
struct NetworkTests {
    private static let wlan = NetworkState.Address(interface: "wlan0", text: "192.0.2.7")
    private static let modem = NetworkState.Address(interface: "wwan0", text: "10.0.0.9")

    private static func route(_ interface: String, metric: Int, family: Int = 4) -> NetworkState.Route {
        NetworkState.Route(interface: interface, gateway: "gateway of \(interface)", family: family, metric: metric)
    }

    private static let both = NetworkState(
        addresses: [wlan, modem], routes: [route("wwan0", metric: 700), route("wlan0", metric: 600)])
    private static let modemOnly = NetworkState(addresses: [modem], routes: [route("wwan0", metric: 700)])
    private static let none = NetworkState(addresses: [], routes: [])

    @Test("The uplink is the interface of the default route with the lowest metric, for each address family.")
    func uplinks() {
        #expect(Self.both.uplinks == ["wlan0"])
        #expect(Self.modemOnly.uplinks == ["wwan0"])
        #expect(Self.none.uplinks == [])
        let mixed = NetworkState(
            addresses: [Self.wlan, Self.modem],
            routes: [Self.route("wlan0", metric: 600), Self.route("wwan0", metric: 1024, family: 6)])
        #expect(mixed.uplinks == ["wlan0", "wwan0"])
        #expect(NetworkState(addresses: [Self.wlan], routes: []).uplinks == ["wlan0"])
    }

    @Test("A lost address or another default route breaks connections; a further address does not.")
    func breaking() {
        #expect(Self.modemOnly.breaksConnections(from: Self.both))
        #expect(Self.none.breaksConnections(from: Self.both))
        #expect(Self.both.breaksConnections(from: Self.modemOnly), "the route has changed")
        #expect(!Self.both.breaksConnections(from: NetworkState(addresses: [Self.wlan], routes: [])))
        #expect(!Self.both.breaksConnections(from: Self.none))
    }

    @Test("A target waits while the uplink is not among the target's interfaces, or is metered.")
    func policy() {
        let wireless = NetworkPolicy(interfaces: ["wlan*", "eth0"])
        #expect(wireless.obstacle(in: Self.both) == nil)
        #expect(
            wireless.obstacle(in: Self.modemOnly) == "the network is wwan0, which is not one of `interfaces`")
        let free = NetworkPolicy(allowsMetered: false)
        #expect(free.obstacle(in: Self.both) == nil)
        #expect(free.obstacle(in: Self.modemOnly) == "the network is wwan0, which is metered")
        #expect(free.obstacle(in: Self.none) == nil)
        #expect(NetworkPolicy(allowsMetered: false, meteredInterfaces: []).obstacle(in: Self.modemOnly) == nil)
        let stick = NetworkState(
            addresses: [.init(interface: "enx0", text: "10.0.0.9")], routes: [], mobileInterfaces: ["enx0"])
        #expect(free.obstacle(in: stick) == "the network is enx0, which is metered")
        #expect(NetworkPolicy().obstacle(in: Self.modemOnly) == nil)
    }

    @Test("The kernel reports this computer's addresses, without loopback.")
    func present() throws {
        let state = try #require(NetworkState.present())
        #expect(!state.addresses.contains { $0.interface == "lo" || $0.text.hasPrefix("fe80:") })
        let monitor = NetworkMonitor()
        #expect(monitor.descriptor >= 0)
        #expect(monitor.state == state)
        #expect(monitor.take() == nil)
    }

    @Test(
        "A target with `metered: false` waits on a mobile network, and continues at once on another network.",
        .enabled(if: WebServer.python != nil, "python3 is missing"))
    func waits() throws {
        let server = try WebServer()
        try server.start()
        let kernel = try FakeKernel(Self.modemOnly)
        // The rule does not apply to loopback, so the test uses a form of the address that the program does not recognise as
        // loopback.
        let url = server.url.replacing("127.0.0.1", with: "[::ffff:127.0.0.1]")
        let targets = try ["free", "any"].map { name in
            try UploadTarget(
                name: name, url: url, format: "owntracks", user: "fleet", device: "van1", allowInsecure: true,
                rules: TargetRules(network: NetworkPolicy(allowsMetered: name == "any")))
        }
        let worker = try RunningWorker(targets, SampleRecords.many(5), network: kernel.monitor)
        #expect(worker.reports { $0 == .held(reason: "the network is wwan0, which is metered") })
        #expect(worker.drains("any"))
        #expect(server.bodies.count == 5)
        kernel.set(Self.both)
        #expect(worker.drains("free"))
        #expect(worker.reports { $0 == .held(reason: nil) })
        #expect(worker.stop() != nil)
    }
}

@Suite("The traffic of a target")
struct TrafficTests {
    @Test(
        "A target waits when its connections have used up the budget of the month, and the count is stored.",
        .enabled(if: WebServer.python != nil, "python3 is missing"))
    func budget() throws {
        let server = try WebServer()
        try server.start()
        let target = try UploadTarget(
            name: "home", url: server.url, format: "owntracks", user: "fleet", device: "van1",
            rules: TargetRules(monthlyBytes: 60_000))
        let month = "\(CalendarMonth(UploadClocks.ofTests.utc()))"
        let worker = try RunningWorker([target], SampleRecords.many(2000))
        #expect(
            worker.reports {
                $0 == .held(reason: "the budget of 60000 bytes for \(month) is used up", needsOwner: true)
            })
        #expect(try worker.queue.traffic(of: "home", in: month) >= 60_000)
        let before = server.bodies.count
        worker.append(2001)
        worker.networkReturned()
        #expect(worker.stop() != nil)
        #expect(server.bodies.count == before)
        #expect(before > 20 && before < 300, "\(before) records of about 700 bytes on the network")
    }

    @Test("The kernel counts the bytes of a connection with all headers.")
    func meter() throws {
        let server = try WebServer()
        try server.start()
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        #expect(connect(descriptor, to: server.port))
        var meter = TrafficMeter()
        let watch = Watch(descriptor: descriptor, reads: true, writes: false)
        let first = meter.measure([watch])
        #expect(first >= 2 * 52)
        _ = Glibc.write(descriptor, String(repeating: "x", count: 1000), 1000)
        #expect(eventually { meter.measure([watch]) >= 0 } && first < 1000)
        #expect(meter.measure([watch, Watch(descriptor: 0, reads: true, writes: false)]) >= 0)
    }

    @Test("Each month has a new budget, which begins with the count that is stored for that month.")
    func months() {
        var budget = TrafficBudget(limit: 100_000)
        let november = CalendarMonth(Timestamp(milliseconds: 1_795_999_999_000))
        #expect("\(november)" == "2026-11")
        #expect("\(CalendarMonth(november.end))" == "2026-12")
        #expect("\(CalendarMonth(CalendarMonth(november.end).end))" == "2027-01")
        budget.begin(november, stored: 30_000)
        budget.add(50_000)
        #expect(!budget.isStoringDue && !budget.isUsedUp)
        budget.add(20_000)
        #expect(budget.isStoringDue && budget.isUsedUp)
        #expect(budget.takeUnstored() == 70_000)
        #expect(budget.isUsedUp && !budget.isStoringDue)
        budget.begin(CalendarMonth(november.end), stored: 0)
        #expect(!budget.isUsedUp)
    }
}

final class FakeKernel: Sendable {
    private let signal: WakeSignal
    private let state: Mutex<NetworkState>

    init(_ state: NetworkState) throws {
        signal = try WakeSignal()
        self.state = Mutex(state)
    }

    func set(_ state: NetworkState) {
        self.state.withLock { $0 = state }
        signal.recordsCommitted()
    }

    /// A monitor serves one thread.
    func monitor() -> NetworkMonitor {
        NetworkMonitor(
            descriptor: signal.descriptor, drain: { _ = self.signal.take() }, look: { self.state.withLock { $0 } })
    }
}
