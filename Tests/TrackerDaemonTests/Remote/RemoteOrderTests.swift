@testable import Configuration
@testable import Control
import Delivery
import Quantities
import Store
import Synchronization
import Testing
@testable import TrackerDaemon
import Tracking
import TrackingOptions

@Suite("A server's order")
struct RemoteOrderTests {
    private static let time = Timestamp(milliseconds: 1_767_225_600_000)

    private func conversation(_ permissions: RemotePermission...) throws -> ControlConversation {
        let conversation = try ControlConversation()
        conversation.permit(["home": Set(permissions)])
        return conversation
    }

    @Test("Every request that a permission names exists, and no permission names another request.")
    func catalogue() {
        let named = RemotePermission.allCases.flatMap(\.requests)
        #expect(Set(named) == Set(RemoteRequests.all.map { $0.manual.name }))
        #expect(named.count == RemoteRequests.all.count, "a request has one permission")
    }

    @Test("An order `tracking start` cannot set options, because without a trial they could silence the tracker.")
    func start() throws {
        let conversation = try conversation(.silence)
        let before = conversation.tracker.runner.engine.status.resolvedOptions.options
        let order = #"{"request":"tracking start","options":{"sync":"none","maxRecordsToPersist":1}}"#
        let refused = try #require(try conversation.order(order))
        #expect(!refused.isAccepted)
        #expect(refused.text == "a server cannot start tracking with options. Send the request `options`.")
        #expect(conversation.tracker.runner.engine.status.resolvedOptions.options == before)
        #expect(try conversation.order(#"{"request":"tracking stop"}"#, id: "a2")?.isAccepted == true)
        #expect(conversation.tracker.runner.engine.status.suspension != nil)
        #expect(try conversation.order(#"{"request":"tracking start"}"#, id: "a3")?.isAccepted == true)
        #expect(conversation.tracker.runner.engine.status.suspension == nil)
    }

    @Test(
        "A server needs the permission `silence` for the modes in which the tracker does not report.",
        arguments: [("quiet", false), ("manual", false), ("significant", true), ("move", true), ("default", true)])
    func mode(name: String, needsNoMore: Bool) throws {
        let order = #"{"request":"mode","mode":"\#(name)"}"#
        #expect(try conversation(.mode).order(order)?.isAccepted == needsNoMore)
        #expect(try conversation(.mode, .silence).order(order)?.isAccepted == true)
    }

    @Test(
        "A server that may not set the modes `quiet` and `manual` cannot end them either.",
        arguments: ["quiet", "manual"], ["move", "significant", "default"])
    func ownersMode(present: String, order: String) throws {
        for permissions in [[RemotePermission.mode, .options], [.mode, .options, .silence]] {
            let conversation = try ControlConversation()
            conversation.permit(["home": Set(permissions)])
            _ = conversation.reply(to: #"{"request":"mode","mode":"\#(present)"}"#)
            _ = try conversation.order(#"{"request":"options","options":{"monitoring":"move"}}"#, id: "a0")
            #expect(conversation.tracker.runner.engine.status.mode.name == present)
            let report = try conversation.order(#"{"request":"mode","mode":"\#(order)"}"#)
            let maySilence = permissions.contains(.silence)
            #expect(report?.isAccepted == maySilence)
            #expect(conversation.tracker.runner.engine.status.mode.recordsUnasked == maySilence)
        }
    }

    @Test(
        "A server can extend a private period of the owner, but not shorten it.",
        arguments: [
            (#","for":"2h""#, #","for":"1h""#, false), (#","for":"2h""#, #","for":"3h""#, true),
            (#","for":"2h""#, "", true), ("", #","for":"365d""#, false), ("", "", true),
        ])
    func privatePeriod(owner: String, server: String, isAccepted: Bool) throws {
        let conversation = try conversation(.silence)
        for second in 1...10 { conversation.drive(to: 13.4, at: second) }
        func end() -> String? {
            conversation.tracker.runner.engine.status.privacyEnd(at: Instant(seconds: 60)).map { "\($0)" }
        }
        _ = conversation.reply(to: #"{"request":"private on"\#(owner)}"#)
        let before = end()
        let report = try #require(try conversation.order(#"{"request":"private on"\#(server)}"#))
        #expect(report.isAccepted == isAccepted)
        #expect(report.text.contains("no server can shorten it") != isAccepted)
        #expect(isAccepted || end() == before)
        #expect(conversation.tracker.runner.engine.status.privacyReasons == [.command])
        #expect(conversation.reply(to: #"{"request":"private off"}"#)?.contains("The position is not private.") == true)
    }

    @Test("The answer to a server that may not end the mode `quiet` names the missing permission.")
    func missingPermission() throws {
        let conversation = try conversation(.mode)
        _ = conversation.reply(to: #"{"request":"mode","mode":"quiet"}"#)
        let report = try #require(try conversation.order(#"{"request":"mode","mode":"move"}"#))
        #expect(
            report.text
                == "the tracker is in the mode quiet, which a server can end only with the permission `silence`. Add `silence` to the target's `control`."
        )
    }

    @Test(
        "A server's request for the status does not return the position in the modes that withhold it.",
        arguments: [("quiet", false), ("manual", false), ("significant", true), ("move", true)])
    func position(mode: String, isShown: Bool) throws {
        let conversation = try conversation(.status)
        for second in 1...10 { conversation.drive(to: 13.4, at: second) }
        _ = conversation.reply(to: #"{"request":"mode","mode":"\#(mode)"}"#)
        let local = try #require(conversation.reply(to: #"{"request":"status"}"#))
        #expect(local.contains(#""lat":52.5"#))
        let data = try #require(try conversation.order(#"{"request":"status"}"#)?.data)
        #expect(data.contains(#""location""#) == isShown && data.contains("52.5") == isShown)
    }

    @Test("The order `regions` replaces all regions of its server, and an invalid region changes nothing.")
    func regions() throws {
        let conversation = try conversation(.regions)
        let other = try Region(
            RegionName(id: "pier", name: "Pier"), text: "Pier", defined: Self.time,
            shape: .area(.circle(centre: try #require(Coordinate(latitude: 1, longitude: 2)), radius: Metres(9))))
        let work = ServerRegions(target: "work", regions: [other])
        conversation.tell(.serverRegions([work]), at: 1)
        let list = { (names: [String]) in
            let regions = names.map {
                #"{"name":"\#($0)","latitude":1,"longitude":2,"radius":\#($0 == "bad" ? 0 : 9)}"#
            }
            return #"{"request":"regions","regions":[\#(regions.joined(separator: ","))]}"#
        }
        func names() -> [[String]] {
            conversation.tracker.runner.engine.status.serverRegions.map { $0.regions.map(\.name.name) }
        }
        let first = try #require(try conversation.order(list(["Depot", "Yard", "Pier"]), id: "a1"))
        #expect(first.isAccepted)
        #expect(
            first.text
                == "The tracker stores 3 regions. It watches none of them, because `syncGeofences` is off or `syncGeofencesLimit` is 0."
        )
        #expect(names() == [["Depot", "Yard", "Pier"], ["Pier"]])
        let refused = try #require(try conversation.order(list(["Farm", "bad"]), id: "a2"))
        #expect(!refused.isAccepted)
        #expect(
            refused.text
                == "regions: region 2 (`bad`): `radius` must be a number of metres from 1 to 5000000.")
        #expect(names() == [["Depot", "Yard", "Pier"], ["Pier"]])
        #expect(try conversation.order(list(["Farm"]), id: "a3")?.isAccepted == true)
        #expect(names() == [["Farm"], ["Pier"]])
        #expect(try conversation.order(#"{"request":"regions"}"#, id: "a4")?.text == "regions: `regions` is missing.")
        #expect(try conversation.order(list([]), id: "a5")?.isAccepted == true)
        #expect(names() == [["Pier"]])
    }

    @Test("The tracker does not watch the regions of a server that may not send regions any more.")
    func regionsWithdrawn() throws {
        let conversation = try conversation(.regions)
        let order = #"{"request":"regions","regions":[{"name":"Depot","latitude":1,"longitude":2,"radius":9}]}"#
        #expect(try conversation.order(order)?.isAccepted == true)
        conversation.permit(["home": []])
        conversation.tracker.runner.followServerRegions(at: StillClock.start)
        #expect(conversation.tracker.runner.engine.status.serverRegions.isEmpty)
        conversation.permit(["home": [.regions]])
        conversation.tracker.runner.followServerRegions(at: StillClock.start)
        #expect(conversation.tracker.runner.engine.status.serverRegions.map(\.target) == ["home"])
    }

    @Test("An order whose permission the owner has removed since the order arrived has no effect.")
    func withdrawn() throws {
        let conversation = try conversation(.locate)
        let report = try conversation.order(#"{"request":"odometer set","metres":7}"#)
        #expect(report?.text == "the target no longer permits this request.")
        #expect(conversation.tracker.runner.engine.odometer.value == 0)
    }

    @Test(
        "An order is refused after its expiry, and more than 7 days before.",
        arguments: [(-1, "expired"), (0, nil), (7 * 86_400, nil), (7 * 86_400 + 1, "7 days")])
    func expiry(seconds: Int, fault: String?) throws {
        let conversation = try conversation(.odometer)
        let report = try #require(
            try conversation.order(
                #"{"request":"odometer set","metres":7}"#, expires: Self.time + .seconds(seconds)))
        #expect(report.isAccepted == (fault == nil))
        if let fault { #expect(report.text.contains(fault)) }
        #expect(conversation.tracker.runner.engine.odometer.value == (fault == nil ? 7 : 0))
    }

    @Test("The answer to `status` contains no address of another server and no path of this computer.")
    func status() throws {
        let uploads = UploadHandle(fault: { _ in
            UploadObstacle(text: "cannot reach secret.example.net", needsOwner: true)
        })
        let conversation = try ControlConversation(uploads: uploads)
        conversation.permit(["home": [.status]])
        let local = try #require(conversation.reply(to: #"{"request":"status"}"#))
        #expect(local.contains("secret.example.net"))
        let report = try #require(try conversation.order(#"{"request":"status"}"#))
        let data = try #require(report.data)
        #expect(data.contains(#""state":"stationary""#) && data.contains(#""name":"home""#))
        #expect(!data.contains("secret.example.net") && !data.contains("/"))
    }

    @Test("The answer to `waypoint list` contains only waypoints that messages may contain.")
    func waypoints() throws {
        let conversation = try conversation(.waypoints)
        for (name, isShared) in [("yard", true), ("home address", false)] {
            let place = #""latitude":52.5,"longitude":13.4,"radius":100"#
            let reply = conversation.reply(
                to: #"{"request":"waypoint set","name":"\#(name)","shared":\#(isShared),\#(place)}"#)
            #expect(reply?.contains(#""ok":true"#) == true)
        }
        let data = try #require(try conversation.order(#"{"request":"waypoint list"}"#)?.data)
        #expect(data.contains("yard") && !data.contains("home address"))
    }

    @Test("The owner's limits apply to the options of a server.")
    func limits() throws {
        let text = """
            device: van1
            serverLimits: {interval: 10m, distance: 500, accuracy: 100}
            targets:
              - {name: home, url: "https://home.example.net", control: [options]}
              - {name: chief, url: "https://chief.example.net", control: [options, silence]}
            """
        let remote = RemoteControl(try Configuration.parse(text, file: "config.yaml"))
        let limits = remote.rights.limits
        #expect(limits.interval == .seconds(600) && limits.distance == Metres(500) && limits.accuracy == Metres(100))
        #expect(!remote.rights.permitSilence(to: "home") && remote.rights.permitSilence(to: "chief"))
        #expect(!remote.permits(.silence, to: "home") && remote.permits(.silence, to: "chief"))
    }

    @Test("A record that the target's format cannot send does not confirm options; a received record does.")
    func proof() throws {
        let received = Received()
        let uploads = UploadHandle(counts: { _ in
            var counts = UploadCounts()
            counts.note(records: received.count.load(ordering: .relaxed))
            return counts
        })
        received.count.store(3, ordering: .relaxed)
        let conversation = try ControlConversation(uploads: uploads)
        let tracker = conversation.tracker
        conversation.permit(["home": [.options]])
        let report = try conversation.order(#"{"request":"options","options":{"turnFilter":33}}"#)
        #expect(report?.isAccepted == true && tracker.runner.engine.status.optionsTrial?.target == "home")
        // The record about the order is settled, but the server has received no more records than before the order.
        try conversation.settleAll()
        tracker.runner.proveOptions(at: Instant(seconds: 60))
        #expect(tracker.runner.engine.status.optionsTrial != nil)
        received.count.store(4, ordering: .relaxed)
        tracker.runner.proveOptions(at: Instant(seconds: 61))
        #expect(tracker.runner.engine.status.optionsTrial == nil)
    }
}

private final class Received: Sendable {
    let count = Atomic(0)
}
