import Foundation
import Peers
import Testing

@Suite(
    "A name server that does not answer",
    .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"),
    .enabled(if: FaultyDisk.isAvailable, "not installed: cc"))
struct SlowResolverTests {
    private static let host = "slow.example"
    private let scratch: Scratch
    private let archive: WebServer
    private let broker: Broker
    private let web: WebServer

    init() throws {
        scratch = try Scratch()
        archive = try WebServer()
        broker = try Broker()
        web = try WebServer()
    }

    /// Starts the servers, and the program with a target at a slow name, whose resolutions hang from the one with this number
    /// on, counted from 1.
    private func start(_ slow: String, from number: Int) throws -> (vehicle: Vehicle, daemon: Daemon) {
        try archive.start(denying: false)
        try web.start(denying: false)
        try broker.start()
        try scratch.write("", to: "hang")
        let vehicle = try Vehicle(targets: [
            "{name: slow, url: \"\(slow)\", format: owntracks, allowInsecure: true}",
            "{name: archive, url: \"\(archive.url)\", format: geojson}",
        ])
        // The drive must last longer than the start of all programs on a busy machine.
        let daemon = try vehicle.start(
            speed: 5,
            environment: [
                "LD_PRELOAD": try FaultyDisk.library("slow_names", in: scratch), "SLOW_NAMES_HOST": Self.host,
                "SLOW_NAMES_FROM": "\(number)", "SLOW_NAMES_SWITCH": scratch.path + "/hang",
                "SLOW_NAMES_NOTES": scratch.path + "/notes",
            ])
        #expect(eventually { !scratch.lines(of: "notes").isEmpty }, "\(daemon.logged)")
        return (vehicle, daemon)
    }

    private func url(_ scheme: String) -> String {
        (scheme == "mqtt" ? broker.url : web.url).replacing("127.0.0.1", with: Self.host)
    }

    private var arrivals: Int { broker.bodies.count + web.bodies.count }

    @Test("A target whose name is not resolved does not delay another target, and gets its records later.")
    func independent() throws {
        // Each case has its own program and servers, and all of them wait at the same time.
        let cases = try [("mqtt", 1), ("mqtt", 2), ("http", 1)].map { scheme, number in
            let bench = try SlowResolverTests()
            // The folder of the vehicle exists only as long as `vehicle`.
            let (vehicle, daemon) = try bench.start(bench.url(scheme), from: number)
            let before = bench.archive.bodies.count
            return (bench: bench, vehicle: vehicle, daemon: daemon, before: before, name: "\(scheme) \(number)")
        }
        for (bench, _, daemon, before, name) in cases {
            #expect(eventually { bench.archive.bodies.count > before + 5 }, "\(name): \(daemon.logged)")
            #expect(bench.arrivals == 0, "\(name)")
        }
        for (bench, _, daemon, _, name) in cases {
            // The attempt to connect ends after 20 s.
            #expect(eventually { daemon.logged.contains("slow: uploads are failing") }, "\(name): \(daemon.logged)")
            try FileManager.default.removeItem(atPath: bench.scratch.path + "/hang")
            #expect(eventually { bench.arrivals > 5 }, "\(name): \(daemon.logged)")
            #expect(daemon.endInTime() == 0, "\(name)")
        }
    }

    @Test("The program ends in time while a name is not resolved.", arguments: ["mqtt", "http"])
    func end(scheme: String) throws {
        let (vehicle, daemon) = try start(url(scheme), from: scheme == "mqtt" ? 2 : 1)
        #expect(daemon.endInTime() == 0, "\(vehicle.logged)")
    }
}
