import Compatibility
@testable import Configuration
@testable import Control
import Formats
import Foundation
import Hardware
import Logging
import Peers
import Quantities
import Store
@testable import TrackerDaemon
import Tracking
import TrackingOptions
import Upload

/// The clock does not advance between requests.
final class ControlConversation {
    let tracker: Tracker
    private let scratch: Scratch
    let socket: ControlSocket
    let reading: ControlSocket
    private let client: RawClient
    let table: String
    private var now = StillClock.start
    private var setup: EngineConfiguration

    init(uploads: UploadHandle = UploadHandle(), _ change: (inout EngineConfiguration) -> Void = { _ in }) throws {
        scratch = try Scratch()
        socket = try ControlSocket(path: scratch.path + "/control.sock")
        reading = try ControlSocket(path: scratch.path + "/read.sock", access: .read)
        client = try RawClient(scratch.path + "/control.sock")
        let queue = try RecordQueue(path: scratch.path + "/t.sqlite")
        queue.retention = Retention(days: 10, records: 10_000, targets: ["home", "office"])
        table = scratch.path + "/t.sqlite"
        setup = EngineConfiguration(options: Profile.vehicle.options)
        setup.modes = OptionLayer.ownTracksModes
        change(&setup)
        tracker = try Tracker(
            setup: setup, queue: queue,
            devices: .init(receiver: SilentReceiver(), motionSensor: nil), clock: StillClock(),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, control: socket, reading: reading,
            uploads: uploads,
            openSetAside: { [table] in try SetAsideTable(path: table) })
        tracker.runner.program = RunningProgram(readConfiguration: { () throws(ConfigurationError) in
            throw ConfigurationError(problems: [.init(file: "config.yaml", line: 5, text: "`x` is not a key.")])
        })
        tracker.runner.handle(.wallClock(Timestamp(milliseconds: 1_767_225_600_000), isTrusted: true), at: now)
        tracker.runner.handle(.motionSensor(isThere: false), at: now)
        tracker.runner.handle(.started, at: now)
    }

    /// Gives the servers of targets these permissions, and changes the configuration of the engine, as a reload of the file does.
    func permit(
        _ permissions: [String: Set<RemotePermission>], limits: ServerLimits = ServerLimits(),
        _ change: (inout EngineConfiguration) -> Void = { _ in }
    ) {
        tracker.runner.orders.permissions = RemoteControl(permissions, limits: limits)
        setup.serverRights = tracker.runner.orders.permissions.rights
        change(&setup)
        tracker.runner.handle(.configuration(setup), at: now)
    }

    /// Sends a line, and returns the reply; nil if no reply came.
    ///
    /// In the reply, `UUID` replaces the UUIDs, `…` the reason of the state, and 0 the size.
    func reply(to line: String) -> String? {
        client.send(line + "\n")
        turn()
        return client.lines().first.map { reply in
            let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
            let masked = reply.replacingOccurrences(of: uuid, with: "UUID", options: .regularExpression)
            let why = #""why":"[^"]*""#
            return masked.replacingOccurrences(of: why, with: #""why":"…""#, options: .regularExpression)
                .replacingOccurrences(of: #""bytes":[0-9]+"#, with: #""bytes":0"#, options: .regularExpression)
        }
    }

    /// Returns the reply that arrives after some good fixes.
    func replyAfterFixes() -> String? {
        for second in 1...10 {
            now = StillClock.start + .seconds(second)
            tracker.runner.handle(.fix(fix(second)), at: now)
            turn()
            if let reply = client.lines().first { return reply }
        }
        return nil
    }

    /// Passes a fix at 52.5° north and this longitude to the tracker.
    func drive(to longitude: Double, speed: MetresPerSecond? = nil, at second: Int) {
        var fix = fix(second)
        fix.speed = speed ?? fix.speed
        // With a speed, the vehicle drives eastwards; it is at `longitude` at each full hundred of seconds.
        let way = Metres((speed?.value ?? 0) * Double(second % 100))
        fix.coordinate = Coordinate(latitude: 52.5, longitude: longitude)?.moved(east: way, north: .zero)
        tell(.fix(fix), at: second)
    }

    func tell(_ event: Event, at second: Int) {
        now = StillClock.start + .seconds(second)
        tracker.runner.handle(event, at: now)
        turn()
    }

    /// The OwnTracks messages of all records that are on disk and not withheld, in order.
    func messages() throws -> [String] {
        let target = try UploadTarget(
            name: "home", url: "mqtt://127.0.0.1", format: "owntracks", user: "fleet", device: "van1")
        let records = try DeliveryTable(path: table).oldest(awaiting: "home", limit: 10_000, excluding: [])
        return records.compactMap { record in
            guard
                case .payload(let payload) = target.format.encode(
                    [record], isNewest: false, for: target.sender, over: .mqtt)
            else { return nil }
            return String(decoding: payload.body, as: UTF8.self)
        }
    }

    /// Stores an order of the server `home`, and lets the tracker carry it out; returns the report about the order.
    func order(_ body: String, id: String = "a1", expires: Timestamp? = nil) throws -> OrderReport? {
        let inbox = try DeliveryTable(path: table)
        defer { inbox.close() }
        _ = try inbox.accept(StoredOrder(target: "home", id: id, body: body, expires: expires))
        tracker.runner.orders.noteArrival()
        tracker.serveOrders(at: now)
        return try reports().last { $0.id == id }
    }

    /// The reports about all orders that the tracker has carried out or refused.
    func reports() throws -> [OrderReport] {
        try DeliveryTable(path: table).oldest(awaiting: "home", limit: 10_000, excluding: []).compactMap {
            if case .order(let report) = $0.record.content { report } else { nil }
        }
    }

    /// Marks all records as delivered to the server `home`.
    func settleAll() throws {
        let table = try DeliveryTable(path: table)
        defer { table.close() }
        let records = try table.oldest(awaiting: "home", limit: 10_000, excluding: [])
        try table.markDelivered(records.map(\.sequence), to: "home")
    }

    func connectToRead() throws -> RawClient { try RawClient(scratch.path + "/read.sock") }

    func connect() throws -> RawClient { try RawClient(scratch.path + "/control.sock") }

    func wait(_ span: Duration) {
        now = now + span
        turn()
    }

    func lines() -> [String] {
        turn()
        return client.lines()
    }

    /// Runs the loop without letting time pass.
    func turn() {
        for _ in 0..<4 {
            let doctor = [tracker.clients.doctor as (any EventSource)?].compactMap(\.self)
            for source in doctor + socket.sources + reading.sources { _ = source.advance(at: now) }
            tracker.serveControl(at: now)
            tracker.serveWatchers(at: now)
        }
    }

    func fix(_ second: Int) -> Fix {
        Fix(
            mode: .threeDimensional, time: Timestamp(milliseconds: 1_767_225_600_000 + 1000 * Int64(second)),
            coordinate: Coordinate(latitude: 52.5, longitude: 13.4), accuracy: Metres(3), speed: MetresPerSecond(0),
            satellites: 9, hdop: 0.9)
    }
}

private final class SilentReceiver: Receiver {
    let name = "receiver"
    let wait = Wait()

    func start(at now: Instant) {}
    func stop(at now: Instant) {}
    func advance(at now: Instant) -> [Event] { [] }
}

final class StillClock: LoopClock {
    static let start = Instant(seconds: 50)
    let bootID = "boot"

    func now() -> Instant { Self.start }
    func wallTime() -> (time: Timestamp, isTrusted: Bool) { (Timestamp(milliseconds: 1_767_225_600_000), true) }
    func realTime(until moment: Instant) -> Duration { .zero }
}
