import Foundation
import Glibc
import Peers
import Store
import Testing
import Tracking

@Suite("The commands that talk to the daemon")
struct ControlCommandTests {
    private let scratch: Scratch
    private let began = Date().timeIntervalSince1970

    init() throws {
        scratch = try Scratch()
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: home, url: "http://127.0.0.1:\(freePort())/pub"}]
            regions: [{name: Depot, latitude: 52.5, longitude: 13.4, radius: 150}]
            """, to: "config.yaml")
    }

    /// The vehicle also drives while the program is not running.
    private func startDaemon() throws -> Daemon {
        let drive = Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz"
        let starts = scratch.lines(of: "log").count { $0.contains("Started; ") }
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", drive, "--speed", "10", "--began", "\(began)", "--config",
                scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { scratch.lines(of: "log").count { $0.contains("Started; ") } > starts })
        return daemon
    }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", scratch.path + "/config.yaml"])
    }

    private func answer(_ arguments: String...) throws -> [String: Any] {
        let (text, errors, status) = try Daemon.output(
            arguments + ["--json", "--config", scratch.path + "/config.yaml"])
        #expect(errors.isEmpty && status == 0)
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func stored() throws -> [Tracking.Record] {
        try DeliveryTable(path: scratch.path + "/t.sqlite").oldest(awaiting: "nobody", limit: 10_000, excluding: [])
            .map(\.record)
    }

    @Test("`status` prints the status as text and as JSON.")
    func status() throws {
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("Departed: ") })
        let (text, errors, status) = try run("status")
        #expect(errors.isEmpty && status == 0)
        let starts = [
            "state          moving (", "tracking       on", "mode           move", "receiver       on for ",
            "accelerometer  answers", "queue          home ",
        ]
        for title in starts {
            #expect(text.contains(title))
        }
        let answer = try answer("status")
        let sensor = answer["accelerometer"] as? [String: Any]
        #expect(sensor?["answers"] as? Bool == true && sensor?["errors"] as? Int == 0)
        #expect(answer["state"] as? String == "moving")
        #expect(
            ((answer["queue"] as? [String: Any])?["targets"] as? [[String: Any]])?.first?["name"] as? String == "home")
        #expect((answer["trip"] as? [String: Any])?["number"] as? Int == 1)
    }

    @Test("`locate` returns the vehicle's position and stores the action with the record.")
    func locate() throws {
        let daemon = try startDaemon()
        let answer = try answer(
            "locate", "--action-type", "alarm", "--action-log", "door", "--action-id", "7", "--action-duration", "2 s",
            "--additional-log", "none")
        let record = try #require(answer["record"] as? [String: Any])
        #expect(record["kind"] as? String == "request")
        #expect((record["location"] as? [String: Any])?["lat"] as? Double != nil)
        let expected = ActionParameters(
            actionType: "alarm", actionLog: "door", actionId: "7", actionDuration: "2 s", additionalLog: "none")
        // The record is on disk before the reply, so a kill cannot lose the record.
        daemon.kill()
        let kept = try stored().compactMap { stored -> ActionParameters? in
            guard case .request(let answer) = stored.content else { return nil }
            return answer.action
        }
        #expect(kept == [expected])
    }

    @Test("`mode` switches the mode, which survives a restart.")
    func mode() throws {
        var daemon = try startDaemon()
        #expect(try run("mode", "quiet").text == "The mode is quiet.\n")
        daemon.kill()
        daemon = try startDaemon()
        #expect(try run("mode").text == "quiet\n")
        #expect(try run("mode", "default").text == "The mode is move, as configured.\n")
        #expect(try run("mode").text == "move\n")
        #expect(try run("mode", "loud").errors.contains("`mode` must be one of quiet, manual, significant, move"))
        #expect(daemon.end() == 0)
    }

    @Test("`trip` starts and ends a trip, with an ID and metadata in its records.")
    func trip() throws {
        let daemon = try startDaemon()
        #expect(try run("trip", "end").errors.contains("no trip that you started by hand is under way"))
        let started = try answer("trip", "start", "--id", "A7", "--metadata", "driver=Ada", "--metadata", "load=3")
        #expect((started["records"] as? [[String: Any]])?.first?["kind"] as? String == "trip")
        #expect(try run("trip", "start", "--id", "A7").text == "Trip 1 is already under way.\n")
        #expect(((try answer("status"))["trip"] as? [String: Any])?["id"] as? String == "A7")
        #expect(try run("trip", "end").text.contains(" has ended: "))
        daemon.kill()
        let reports = try stored().compactMap { stored -> TripReport? in
            guard case .trip(let report) = stored.content, report.externalID == "A7" else { return nil }
            return report
        }
        #expect(reports.map { $0.summary != nil } == [false, true])
        #expect(
            reports.allSatisfy {
                $0.metadata == [.init(key: "driver", value: "Ada"), .init(key: "load", value: "3")]
            })
    }

    @Test("`tracking` switches tracking off and on; its options survive a restart, and end with the tracking.")
    func tracking() throws {
        try scratch.write("profile: motion\ndistanceFilter: 33\n", to: "own.yaml")
        var daemon = try startDaemon()
        #expect(try run("tracking", "stop").text == "Tracking is off until `trackerd tracking start`.\n")
        #expect(try answer("status")["tracking"] as? String == "off")
        #expect(try run("move").errors.contains("tracking is switched off."))
        let started = try run("tracking", "start", "--options", scratch.path + "/own.yaml")
        #expect(started.text == "Tracking is on, with the options of this command.\n")
        daemon.kill()
        daemon = try startDaemon()
        let shown = try answer("tracking", "show")
        #expect(shown["tracking"] as? String == "on" && shown["name"] as? String == "own.yaml")
        #expect((shown["options"] as? [String: String])?["distanceFilter"] == "33")
        #expect((shown["options"] as? [String: String])?.count == 1 && shown["profile"] as? String == "motion")
        _ = try run("tracking", "stop")
        #expect(try run("tracking", "show").text == "# tracking is off\n")
        #expect(daemon.end() == 0)
    }

    @Test("GeoManager's collection starts with a given configuration, and a stop discards the configuration.")
    func collection() throws {
        try scratch.write("geoManager: {distanceInterval: 400, accuracy: hundredMeters}\n", to: "geo.yaml")
        let daemon = try startDaemon()
        func option(_ key: String) throws -> String {
            let line = try run("config", "show").text.split(separator: "\n").first { $0.hasPrefix(key + ": ") }
            return line.flatMap { $0.split(separator: " ").dropFirst().first }.map(String.init) ?? ""
        }
        let configured = try option("distanceFilter")
        #expect(try run("tracking", "show").text == "# tracking is on\n")
        #expect(try run("tracking", "start", "--options", scratch.path + "/geo.yaml").status == 0)
        #expect(try option("distanceFilter") == "400" && option("desiredAccuracy") == "medium")
        // GeoManager's default.
        #expect(try option("desiredMovingUpdateInterval") == "5m")
        #expect(try run("tracking", "show").text.contains("distanceFilter: 400"))
        #expect(try run("tracking", "stop").status == 0)
        #expect(try run("tracking", "show").text == "# tracking is off\n")
        #expect(try run("tracking", "start").status == 0)
        #expect(try option("distanceFilter") == configured && configured != "400")
        #expect(daemon.end() == 0)
    }

    @Test("A wrong custom option is an error with file and line, and changes nothing.")
    func wrongOptions() throws {
        try scratch.write("distanceFilter: 33\nstopTimout: 90\n", to: "own.yaml")
        let daemon = try startDaemon()
        let (_, errors, status) = try run("tracking", "start", "--options", scratch.path + "/own.yaml")
        #expect(errors.contains("own.yaml:2: `stopTimout` is not an option. Did you mean `stopTimeout`?"))
        #expect(status != 0)
        #expect(try run("tracking", "show").text == "# tracking is on\n")
        #expect(daemon.end() == 0)
    }

    @Test("`region` and `waypoint` set and remove places, but no places of the configuration.")
    func places() throws {
        let daemon = try startDaemon()
        #expect(try run("region", "set", "Yard", "--at", "-33.5,151.25", "--radius", "80").status == 0)
        #expect(try run("waypoint", "set", "View", "--at", "52.25,13.5").text.contains("the tracker does not watch it"))
        let regions = try run("region", "list").text
        #expect(regions == "Depot  circle  52.5, 13.4  150.0 m\nYard  circle  -33.5, 151.25  80.0 m\n")
        #expect(try run("waypoint", "list").text == "Yard  -33.5, 151.25  80.0 m\nView  52.25, 13.5\n")
        #expect(try run("region", "remove", "Yrd").errors.contains("Did you mean `Yard`?"))
        #expect(try run("region", "remove", "Yard").status == 0)
        #expect(try run("waypoint", "list").text == "View  52.25, 13.5\n")
        #expect(try run("waypoint", "clear").status == 0)
        #expect(try run("waypoint", "list").text == "no waypoints\n")
        #expect(try run("region", "list").text.hasPrefix("Depot"))
        #expect(daemon.end() == 0)
    }

    @Test("`odometer set` survives a restart.")
    func odometer() throws {
        var daemon = try startDaemon()
        #expect(try run("odometer", "set", "123000").text == "The odometer shows 123.0 km.\n")
        daemon.kill()
        daemon = try startDaemon()
        #expect(try #require(try answer("odometer")["odometer_m"] as? Double) >= 123_000)
        #expect(daemon.end() == 0)
    }

    @Test("The commands `move` and `stay` change the state of the vehicle.")
    func moveAndStay() throws {
        let daemon = try startDaemon()
        #expect(try run("move").text.contains("oving"))
        #expect(try answer("status")["state"] as? String == "moving")
        #expect(try run("stay").text == "Parked.\n")
        #expect(daemon.end() == 0)
    }

    @Test("Without a daemon, a command names the socket and how to start the daemon.")
    func noDaemon() throws {
        let (_, errors, status) = try run("status")
        #expect(
            errors.contains(
                "\(scratch.path)/control.sock: no daemon answers at this socket (No such file or directory). After `sudo trackerd setup`, start the daemon with"
            ))
        #expect(status != 0)
    }

    @Test("A daemon whose socket cannot be created tracks nevertheless.")
    func noSocket() throws {
        try scratch.write(
            "device: van1\nstore: {path: \"\(scratch.path)/t.sqlite\"}\ncontrol: {socket: /nonexistent/c.sock}\n",
            to: "config.yaml")
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed",
                "200", "--config", scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { daemon.logged.contains("Departed: ") })
        #expect(daemon.logged.contains("/nonexistent/c.sock: trackerd cannot create the control socket"))
        #expect(daemon.end() == 0)
    }
}
