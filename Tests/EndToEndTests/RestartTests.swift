import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite(
    "A restart on request",
    .enabled(if: Broker.program != nil && WebServer.python != nil, "not installed: mosquitto or python3"))
struct RestartTests {
    private let broker: Broker
    private let vehicle: Vehicle
    private let topic = "owntracks/fleet/van1/cmd"

    init() throws {
        broker = try Broker()
        try broker.start()
        vehicle = try Vehicle(targets: ["{name: home, url: \"\(broker.url)\", user: fleet, control: [restart]}"])
        try FileManager.default.createDirectory(
            atPath: vehicle.scratch.path + "/run", withIntermediateDirectories: true)
    }

    /// Starts the program again after each end, like a service manager, and notes the process ID of each start.
    private static let supervisor = """
        import os, signal, subprocess, sys
        is_ending = False
        def end(*_):
            global is_ending
            is_ending = True
            # To wait here for the child would block for ever, because the program below holds the lock of `wait`.
            child.terminate()
        signal.signal(signal.SIGTERM, end)
        # The tests block signals in the programs that they start.
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        while not is_ending:
            child = subprocess.Popen(sys.argv[1:])
            with open(os.environ["STARTS"], "a") as starts: starts.write(f"{child.pid}\\n")
            child.wait()
        sys.exit(child.returncode)
        """

    /// Starts the supervised program; the drive's time passes `speed` times as fast as real time.
    private func start(speed: Int) throws -> Daemon {
        let environment = [
            "RUNTIME_DIRECTORY": vehicle.scratch.path + "/run", "STARTS": vehicle.scratch.path + "/starts",
        ]
        let daemon = try vehicle.start(
            speed: speed, environment: environment, prefix: [try #require(WebServer.python), "-c", Self.supervisor])
        #expect(eventually { starts == 1 && !broker.messages.isEmpty }, "\(vehicle.logged)")
        return daemon
    }

    private func end(_ daemon: Daemon) {
        let process = processes.last
        #expect(daemon.endInTime() == 0)
        // The program must not outlive a failed test.
        if let process { kill(process, SIGKILL) }
    }

    private var processes: [pid_t] { vehicle.scratch.lines(of: "starts").compactMap { pid_t($0) } }

    private var starts: Int { vehicle.logged.count { $0.contains("Started; ") } }

    /// The number of starts after which the program has not ended properly.
    private var unendedStarts: Int { vehicle.scratch.lines(of: "run/unended-starts").count }

    private var reports: [OrderReport] {
        vehicle.stored.compactMap { if case .order(let report) = $0.record.content { report } else { nil } }
    }

    /// Returns whether the program still writes a record; a command causes the record, because the drive may be over.
    private func records() -> Bool {
        let before = vehicle.stored.count
        let isSet = eventually { (try? vehicle.run("waypoint", "set", "Yard", "--at", "52.6,13.6").status) == 0 }
        return isSet && eventually { vehicle.stored.dropFirst(before).contains { $0.record.kind == .waypoint } }
    }

    private func isAccepted(_ id: String) -> Bool { reports.contains { $0.id == id && $0.isAccepted } }

    /// Publishes an order; the program uses the clock of the recorded drive.
    private func publish(_ id: String) throws {
        let expires = (vehicle.stored.last?.record.time.seconds ?? 1_767_225_600) + 86_400
        try broker.publish(#"{"request":"restart","id":"\#(id)","expires":\#(expires)}"#, to: topic)
    }

    /// Publishes orders until the program accepts one; it refuses them for an hour of the drive's time after its start.
    ///
    /// Returns the ID of the accepted order.
    private func restartByOrder(_ name: String) throws -> String? {
        for attempt in 0..<60 {
            let id = "\(name)-\(attempt)"
            try publish(id)
            guard eventually({ reports.contains { $0.id == id } }) else { return nil }
            if isAccepted(id) { return id }
            // More orders would exceed the limit of one order per second.
            usleep(1_000_000)
        }
        return nil
    }

    @Test(
        "An order restarts the program in its process, once, and neither as a crash nor as a start by the supervisor.")
    func order() throws {
        let daemon = try start(speed: 600)
        defer { end(daemon) }
        let id = try #require(try restartByOrder("r"), "\(vehicle.logged)")
        #expect(eventually { starts == 2 }, "\(vehicle.logged)")
        #expect(vehicle.logged.contains { $0.contains("trackerd restarts, because a request asked for it.") })
        #expect(processes.count == 1)
        #expect(unendedStarts == 1, "only the present start")
        // The broker receives the answer after the restart, and a repeated order changes nothing.
        #expect(eventually { broker.bodies.contains { $0.contains(#""order""#) && $0.contains(id) } })
        try publish(id)
        #expect(records())
        #expect(starts == 2 && reports.count { $0.id == id } == 1)
    }

    @Test(
        "SIGKILL at any moment of a restart neither loses the answer nor repeats the restart.", arguments: [0, 30, 150])
    func killed(milliseconds: UInt32) throws {
        let daemon = try start(speed: 600)
        defer { end(daemon) }
        let id = try #require(try restartByOrder("r"), "\(vehicle.logged)")
        usleep(milliseconds * 1000)
        kill(try #require(processes.last), SIGKILL)
        #expect(eventually { processes.count == 2 })
        #expect(records())
        let count = starts
        #expect(count == 2 || count == 3, "the supervisor's start, and perhaps the program's own start before SIGKILL")
        try publish(id)
        #expect(records())
        #expect(starts == count && processes.count == 2 && reports.count { $0.id == id } == 1)
        #expect(!vehicle.logged.contains { $0.contains("safe mode") })
    }

    @Test("`trackerd restart` restarts the program at once, unless the configuration file has an error.")
    func command() throws {
        let daemon = try start(speed: 4)
        defer { end(daemon) }
        let file = try String(contentsOfFile: vehicle.config, encoding: .utf8)
        try vehicle.scratch.write(file.replacing("device: van1", with: "device: van1\nnonsense: 1"), to: "config.yaml")
        let refused = try vehicle.run("restart", "--socket", vehicle.scratch.path + "/control.sock")
        #expect(refused.status != 0 && refused.errors.contains("`nonsense`"), "\(refused)")
        try vehicle.scratch.write(file, to: "config.yaml")
        let outcome = try vehicle.run("restart")
        #expect(outcome.status == 0 && outcome.text == "trackerd restarts as soon as all records are on disk.\n")
        #expect(eventually { starts == 2 }, "\(vehicle.logged)")
        #expect(records())
        #expect(starts == 2 && processes.count == 1 && unendedStarts == 1)
    }
}
