import Foundation
import GRDB
import Glibc
import Peers
import Quantities
import Store
import Testing
import Tracking

/// Each turn of the loop must be short, because every other device and client waits for its end.
///
/// On an idle computer, most turns of these tests take less than 20 ms. A turn takes 30 ms if another program locks the
/// database, because the loop waits 20 ms for it. In a debug build, which reads records about ten times as slowly
/// as the optimised program, an answer with 300 records takes up to 65 ms. If six programs share two processors, turns
/// of 200 ms occur, because the loop waits for a processor, or for a thread that has locked the database and waits for
/// a processor. The limit is above all these times. It rises with the pauses of the machine, which a thread of the test
/// measures. A loop that waits for another program, for a whole removal or for a whole copy exceeds the limit. If
/// possible, the database is in memory, because the time in which the disk writes is a part of the turn.
@Suite("The turns of the loop", .enabled(if: WebServer.python != nil, "not installed: python3"))
struct LoopTurnTests {
    /// The longest turn that is allowed on a machine without pauses, in seconds.
    private static let limit_s = 1.0
    /// How often the loop and the threads that it waits for may be paused in one turn.
    private static let pauses = 5.0
    private static let epoch = Timestamp(milliseconds: 1_767_225_600_000)

    private let scratch: Scratch
    private let disk: MemoryFolder
    private let server: WebServer
    private let machine = MachinePauses()
    private var database: String { disk.path + "/t.sqlite" }
    private var config: [String] { ["--config", scratch.path + "/config.yaml"] }

    init() throws {
        (scratch, disk, server) = (try Scratch(), try MemoryFolder(), try WebServer())
    }

    /// Starts the program in a vehicle that drives, so that the loop always has work.
    private func start(_ tracking: String = "", environment: [String: String] = [:]) throws -> Daemon {
        try scratch.write(
            """
            device: van1
            store: {path: "\(database)", commitInterval: 0}
            control: {socket: "\(scratch.path)/control.sock", readSocket: "\(scratch.path)/read.sock"}
            targets: [{name: home, url: "\(server.url)", format: geojson}]
            metrics: {textfile: "\(scratch.path)/t.prom", interval: 1s}
            tracking: {distanceFilter: 10, turnFilter: 0\(tracking)}
            """, to: "config.yaml")
        let drive = Daemon.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz"
        let daemon = try Daemon(
            ["run", "--board", "sim", "--drive", drive, "--speed", "20", "--log-level", "debug"] + config,
            log: URL(fileURLWithPath: scratch.path + "/log"), environment: environment)
        #expect(eventually { isListening(at: scratch.path + "/read.sock") }, "\(daemon.logged)")
        return daemon
    }

    /// Asks for the status until `condition` is true; each request is a turn of the loop.
    private func ask(until condition: () -> Bool) -> Bool {
        eventually {
            usleep(100_000)
            return (try? LineClient(scratch.path + "/read.sock").ask(["request": "status"])) != nil && condition()
        }
    }

    /// Asks for the status until `condition` is true, and gives up when the number of records has not changed for four minutes.
    ///
    /// The threads that remove and copy records have a low priority, so other programs can make them slow.
    private func askWhileRecordsChange(until condition: () -> Bool) -> Bool {
        var before: Int
        repeat {
            before = count("SELECT COUNT(*) FROM record")
            if ask(until: condition) { return true }
        } while count("SELECT COUNT(*) FROM record") != before
        return false
    }

    /// The longest turn since the start, in seconds.
    private func longestTurn() throws -> Double {
        let (text, _, _) = try Daemon.output(["status", "--json"] + config)
        let status = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let loop = try #require(status?["loop"] as? [String: Any], "\(text)")
        return try #require(loop["longest_turn_s"] as? Double)
    }

    /// The daemon logs turns above 20 ms.
    private var longTurns: [String] {
        scratch.lines(of: "log").filter { $0.contains("long turn of the loop") }.map(String.init)
    }

    /// Returns a value of the Prometheus textfile; 0 if the value is missing.
    private func metric(_ name: String) -> Double {
        let line = scratch.lines(of: "t.prom").first { $0.hasPrefix(name + " ") }
        return line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
    }

    /// Checks that no turn was above the limit, and ends the program.
    private func check(_ daemon: Daemon) throws {
        let longest = try longestTurn()
        #expect(longest < Self.limit_s + Self.pauses * machine.longest_s, "\(longTurns)")
        #expect(daemon.end() == 0)
    }

    /// Makes a database with trips and this number of locations, one per second until the start of the simulation.
    private func fill(_ count: Int, trips: Int = 0) throws {
        let began = Self.epoch - .seconds(count + trips * 2)
        let reading = ClockReading(boot: "b", now: .boot, time: began, isTrusted: true)
        let queue = try RecordQueue(path: database)
        for number in 1...max(1, trips) {
            let report = TripReport(number: number, summary: TripSummary(start: nil, started: began))
            for content in [.trip(TripReport(number: number)), .trip(report)] as [Tracking.Record.Content]
            where trips > 0 {
                _ = queue.append(record(content, at: began), state: EngineState(), at: reading)
            }
        }
        _ = queue.append(record(.location, at: began), state: EngineState(), at: reading)
        _ = try queue.flush(at: reading)
        queue.close()
        let file = try DatabaseQueue(path: database)
        // All other columns are generated or have a default.
        let same = """
            kind, delay_ms, flags, lat_e7, lon_e7, accuracy_mm, altitude_e4, ellipsoid_altitude_e4, vertical_accuracy_mm, \
            speed_mmps, course_e4, satellites, odometer_m, trip, supply_mV, tag, vehicle, driver, rest
            """
        let columns = "uuid, time_ms, \(same)"
        try file.write { file in
            try file.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)
                    INSERT INTO record (\(columns))
                    SELECT randomblob(16), time_ms + i * 1000, \(same)
                    FROM (SELECT * FROM record ORDER BY sequence DESC LIMIT 1) JOIN n
                    """, arguments: ["count": count - 1])
        }
        try file.close()
    }

    private func record(_ content: Tracking.Record.Content, at time: Timestamp) -> Tracking.Record {
        let place = Coordinate(latitude: 52.3740312, longitude: 4.8896921)
        let position = place.map {
            Position(
                coordinate: $0, accuracy: Metres(4.1), altitude: Metres(12.3), ellipsoidAltitude: Metres(55.4),
                verticalAccuracy: Metres(7.7), speed: MetresPerSecond(13.06), course: Degrees(123.4), satellites: 11)
        }
        return Tracking.Record(
            content, time: time, isTimeTrusted: true, position: position, isMoving: true, odometer: Metres(1234.5),
            trip: 1)
    }

    private func count(_ sql: String) -> Int {
        (try? DatabaseQueue(path: database).read { try Int.fetchOne($0, sql: sql) }) ?? -1
    }
}

extension LoopTurnTests {
    @Test(
        "A turn that waits for the disk is in the log, the status and the metrics.",
        .enabled(if: FaultyDisk.isAvailable, "not installed: cc"))
    func reported() throws {
        let fault = try FaultyDisk(on: disk.path)
        let daemon = try start(environment: fault.environment)
        #expect(ask { daemon.logged.contains("on disk sequence=") })
        // The request writes a record, so the loop waits for the disk. If the request reaches the loop too late, the test tries
        // again.
        let isLong = eventually {
            try? fault.hang()
            let client = try? Child(Daemon.program, ["odometer", "set", "5"] + config)
            usleep(500_000)
            try? fault.end()
            client?.wait()
            return (try? longestTurn() > 0.3) == true && longTurns.contains { $0.contains("request odometer set") }
        }
        #expect(isLong, "\(longTurns)")
        #expect(eventually { metric("trackerd_loop_longest_turn_seconds") > 0.3 })
        #expect(metric("trackerd_loop_long_turns_total") >= 1)
        #expect(daemon.end() == 0)
    }

    @Test("No turn of the loop waits for the index of the log, which another program keeps without filling it.")
    func unreadableIndex() throws {
        let daemon = try start()
        #expect(ask { daemon.logged.contains("on disk sequence=") })
        #expect(daemon.end() == 0)
        // Another program has just created the index, and has SQLite's lock for writing, the first byte of the locks
        // (https://sqlite.org/walformat.html#locks).
        let index = open(database + "-shm", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        defer { close(index) }
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 120, l_len: 1, l_pid: 0)
        #expect(fcntl(index, F_SETLK, &lock) == 0)
        let next = try start()
        #expect(
            ask { next.logged.contains("locking protocol") && next.logged.contains("Recording continues in memory") })
        for metres in 1...5 {
            #expect(try Daemon.output(["odometer", "set", "\(metres)000"] + config).status == 0)
        }
        lock.l_type = Int16(F_UNLCK)
        #expect(fcntl(index, F_SETLK, &lock) == 0)
        #expect(ask { next.logged.contains("The queue is on disk again") }, "\(next.logged)")
        try check(next)
    }

    @Test("No turn of the loop waits until another program unlocks the database.")
    func locked() throws {
        let daemon = try start()
        #expect(ask { daemon.logged.contains("on disk sequence=") })
        let other = try DatabaseQueue(path: database, configuration: .patient)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(ask { daemon.logged.contains("Recording continues in memory") }, "\(daemon.logged)")
        for metres in 1...10 {
            #expect(try Daemon.output(["odometer", "set", "\(metres)000"] + config).status == 0)
        }
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(ask { daemon.logged.contains("The queue is on disk again") }, "\(daemon.logged)")
        try check(daemon)
    }

    @Test("No turn of the loop waits until a hundred thousand records are removed.")
    func retention() throws {
        try fill(100_000)
        try DatabaseQueue(path: database).write {
            try $0.execute(sql: "INSERT OR REPLACE INTO delivery (target, cursor) VALUES ('home', 60000)")
        }
        let daemon = try start(", maxRecordsToPersist: 1000")
        let isDone = askWhileRecordsChange {
            daemon.logged.contains("undelivered records, because the queue exceeded its limits")
        }
        #expect(isDone)
        #expect(count("SELECT COUNT(*) FROM record") < 5000)
        try check(daemon)
    }

    @Test("No turn of the loop waits until the records of a large damaged database are copied.")
    func salvage() throws {
        try fill(190_000)
        let size = try FileManager.default.attributesOfItem(atPath: database)[.size] as? Int
        // The program checks a file of up to 16 MiB before it starts tracking, so this file is larger.
        #expect(size ?? 0 > 18 << 20)
        let daemon = try start()
        #expect(ask { daemon.logged.contains("home: uploads are failing") })
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try handle.seek(toOffset: 1 << 20)
        try handle.write(contentsOf: Data(count: 4096))
        try handle.close()
        try server.start(denying: false)
        #expect(askWhileRecordsChange { daemon.logged.contains("trackerd copied") })
        #expect(count("SELECT COUNT(*) FROM record") > 189_000)
        try check(daemon)
    }

    @Test("No turn of the loop is long while clients read the trips and the track of a day.")
    func history() throws {
        try fill(86_400, trips: 120)
        let daemon = try start()
        let client = try LineClient(scratch.path + "/read.sock")
        var trips = 0
        var before: Any?
        repeat {
            let answer = try client.ask(["request": "trips list", "before": before])
            trips += (answer["trips"] as? [Any])?.count ?? 0
            before = answer["before"]
        } while before != nil
        #expect(trips >= 120)
        var points = 0
        var after: Any?
        let (from, to) = ((Self.epoch - .seconds(86_400)).description, Self.epoch.description)
        repeat {
            let answer = try client.ask(["request": "track", "from": from, "to": to, "after": after])
            points += (answer["points"] as? [Any])?.count ?? 0
            after = answer["after"]
        } while after != nil
        #expect((9_000...10_500).contains(points), "\(points)")
        try check(daemon)
    }
}

extension GRDB.Configuration {
    /// The configuration of a connection that waits for the daemon's locks, and that may leave a transaction open.
    fileprivate static var patient: GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(30)
        return configuration
    }
}

/// A folder in memory; if the computer has too little room there, a folder on disk.
private final class MemoryFolder {
    let path: String

    init() throws {
        var memory = statvfs()
        let hasRoom = statvfs("/dev/shm", &memory) == 0 && memory.f_bavail * memory.f_frsize > 512 << 20
        let parent = hasRoom && access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()
        path = parent + "trackerd-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
