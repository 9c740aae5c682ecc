@testable import Configuration
@testable import Control
import Formats
import Quantities
import Testing
@testable import TrackerDaemon
import Tracking
import TrackingOptions

@Suite("A server's waypoint whose name ends in modes")
struct ServerWaypointTests {
    private static let speed = MetresPerSecond(9)

    private let conversation: ControlConversation

    init() throws {
        conversation = try ControlConversation()
        for second in 1...5 { conversation.drive(to: 13.4, at: second) }
    }

    private var mode: MonitoringMode { conversation.tracker.runner.engine.status.mode }

    private func set(_ name: String) -> String {
        #"{"request":"waypoint set","name":"\#(name)","latitude":52.5,"longitude":13.42,"radius":300}"#
    }

    /// The waypoint is at 13.42°; `leave` drives back to 13.4°.
    private func enter() { for second in 200...220 { conversation.drive(to: 13.42, speed: Self.speed, at: second) } }
    private func enterAgain() {
        for second in 600...620 { conversation.drive(to: 13.42, speed: Self.speed, at: second) }
    }
    private func leave() { for second in 400...420 { conversation.drive(to: 13.4, speed: Self.speed, at: second) } }

    @Test(
        "switches the mode only if the server may do so by a request.",
        arguments: [
            ("Depot|-1|-1", MonitoringMode.quiet, true), ("Depot|0|0", .manual, true),
            ("Depot|1|2", .significant, false),
            ("-Depot|-1|1", .quiet, true), ("a|b|-1|2", .quiet, true), ("|-1|-1", .quiet, true),
        ])
    func permissions(name: String, enters: MonitoringMode, needsSilence: Bool) throws {
        let sets: [(Set<RemotePermission>, Bool)] = [
            ([.waypoints], false), ([.waypoints, .silence], false), ([.waypoints, .mode], !needsSilence),
            ([.waypoints, .mode, .silence], true),
        ]
        for (permissions, isPermitted) in sets {
            let test = try Self()
            test.conversation.permit(["home": permissions])
            #expect(try test.conversation.order(test.set(name))?.isAccepted == true)
            test.enter()
            #expect(test.conversation.tracker.runner.engine.status.regionsInside.count == 1)
            #expect(test.mode == (isPermitted ? enters : .move), "\(permissions)")
        }
    }

    @Test("keeps the mode too if OwnTracks' command sets it around the vehicle.")
    func ownTracks() throws {
        conversation.permit(["home": [.waypoints]])
        let waypoint = #"{"_type":"waypoint","desc":"x|-1|-1","lat":52.5,"lon":13.4,"rad":100000,"tst":1}"#
        let order = #"{"_type":"cmd","action":"setWaypoints","waypoints":[\#(waypoint)]}"#
        #expect(try conversation.order(order)?.isAccepted == true)
        enter()
        #expect(conversation.tracker.runner.engine.status.regionsInside.count == 1 && mode == .move)
    }

    @Test("has the time and the key that the server gives it, and the same time means the same waypoint.")
    func identity() throws {
        conversation.permit(["home": [.waypoints]])
        for (index, (name, radius)) in [("Yard", 160), ("Yard two", 140)].enumerated() {
            let waypoint =
                #"{"_type":"waypoint","desc":"\#(name)","lat":52.5,"lon":13.4,"rad":\#(radius),"tst":1600000001,"rid":"00c0de"}"#
            let order = #"{"_type":"cmd","action":"setWaypoints","waypoints":[\#(waypoint)]}"#
            #expect(try conversation.order(order, id: "a\(index)")?.isAccepted == true)
        }
        let state = conversation.tracker.runner.engine.state.regions
        #expect(state.waypoints.map(\.text) == ["Yard two"])
        #expect(state.waypoints.map(\.defined.seconds) == [1_600_000_001] && state.waypoints.map(\.key) == ["00c0de"])
        // The vehicle was inside when the server set the waypoint, so the region is occupied at once.
        #expect(state.stays.map(\.id) == ["00c0de"])
    }

    @Test("does not switch it any more after the owner has removed the permission, also after a restart.")
    func withdrawn() throws {
        conversation.permit(["home": [.waypoints, .mode, .silence]])
        #expect(try conversation.order(set("Depot|-1|-1"))?.isAccepted == true)
        let permitted = conversation.tracker.runner.orders.permissions.rights
        for (rights, expected) in [(ServerRights(), MonitoringMode.move), (permitted, .quiet)] {
            var setup = EngineConfiguration(options: Profile.vehicle.options)
            setup.serverRights = rights
            var (engine, effects) = (Engine(setup, restoring: conversation.tracker.runner.engine.state), EffectBuffer())
            engine.handle(.started, at: StillClock.start, into: &effects)
            for second in 200...220 {
                var fix = conversation.fix(second)
                let way = Self.speed * Double(second - 200)
                fix.coordinate = Coordinate(latitude: 52.5, longitude: 13.42)?
                    .moved(east: Metres(way.value), north: .zero)
                fix.speed = Self.speed
                engine.handle(.fix(fix), at: StillClock.start + .seconds(second), into: &effects)
            }
            #expect(engine.status.mode == expected)
        }
        conversation.permit(["home": [.waypoints]])
        enter()
        #expect(mode == .move)
        #expect(conversation.tracker.runner.engine.status.regionsInside.map(\.name.name) == ["Depot"])
    }

    @Test("does not end a mode of the owner without `silence`; the owner's own waypoint does.")
    func ownersMode() throws {
        conversation.permit(["home": [.waypoints, .mode]])
        _ = conversation.reply(to: #"{"request":"mode","mode":"manual"}"#)
        #expect(try conversation.order(set("Depot|1|2"))?.isAccepted == true)
        enter()
        #expect(mode == .manual)
        leave()
        #expect(mode == .manual)
        // The socket has disconnected the first client, which was idle for five minutes.
        let owner = try conversation.connect()
        owner.send(set("Depot|1|2") + "\n")
        conversation.turn()
        enterAgain()
        #expect(mode == .significant)
    }

    @Test("A waypoint of the owner switches the mode, but not after a server has moved it.")
    func owners() throws {
        conversation.permit(["home": [.waypoints]])
        _ = conversation.reply(to: set("Depot|0|2"))
        enter()
        #expect(mode == .manual)
        leave()
        #expect(mode == .move)
        #expect(try conversation.order(set("Depot|0|2"))?.isAccepted == true)
        enterAgain()
        #expect(conversation.tracker.runner.engine.status.regionsInside.count == 1)
        #expect(mode == .move)
    }
}
