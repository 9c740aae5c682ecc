import Quantities
import Store
import Synchronization
import Testing
import Tracking
import TrackingOptions
import Upload

@testable import TrackerDaemon

@Suite("A server's order")
struct RemoteOrderTests {
    private static let time = Timestamp(milliseconds: 1_767_225_600_000)

    private func conversation(_ permissions: RemotePermission...) throws -> ControlConversation {
        let conversation = try ControlConversation()
        conversation.tracker.remoteControl = RemoteControl(["home": Set(permissions)])
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
        let before = conversation.tracker.engine.resolvedOptions.options
        let order = #"{"request":"tracking start","options":{"sync":"none","maxRecordsToPersist":1}}"#
        let refused = try #require(try conversation.order(order))
        #expect(!refused.isAccepted)
        #expect(refused.text == "a server cannot start tracking with options. Send the request `options`.")
        #expect(conversation.tracker.engine.resolvedOptions.options == before)
        #expect(try conversation.order(#"{"request":"tracking stop"}"#, id: "a2")?.isAccepted == true)
        #expect(conversation.tracker.engine.suspension != nil)
        #expect(try conversation.order(#"{"request":"tracking start"}"#, id: "a3")?.isAccepted == true)
        #expect(conversation.tracker.engine.suspension == nil)
    }

    @Test(
        "A server needs the permission `silence` for the modes in which the tracker does not report.",
        arguments: [("quiet", false), ("manual", false), ("significant", true), ("move", true), ("default", true)])
    func mode(name: String, needsNoMore: Bool) throws {
        let order = #"{"request":"mode","mode":"\#(name)"}"#
        #expect(try conversation(.mode).order(order)?.isAccepted == needsNoMore)
        #expect(try conversation(.mode, .silence).order(order)?.isAccepted == true)
    }

    @Test("An order whose permission the owner has removed since the order arrived has no effect.")
    func withdrawn() throws {
        let conversation = try conversation(.locate)
        let report = try conversation.order(#"{"request":"odometer set","metres":7}"#)
        #expect(report?.text == "the target no longer permits this request.")
        #expect(conversation.tracker.engine.odometer.value == 0)
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
        #expect(conversation.tracker.engine.odometer.value == (fault == nil ? 7 : 0))
    }

    @Test("The answer to `status` contains no address of another server and no path of this computer.")
    func status() throws {
        let uploads = UploadHandle(fault: { _ in "cannot reach secret.example.net" })
        let conversation = try ControlConversation(uploads: uploads)
        conversation.tracker.remoteControl = RemoteControl(["home": [.status]])
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

    @Test("The owner's limits apply to the options of a server, unless the server may silence the tracker.")
    func limits() throws {
        let text = """
            device: van1
            serverLimits: {interval: 10m, distance: 500, accuracy: 100}
            targets:
              - {name: home, url: "https://home.example.net", control: [options]}
              - {name: chief, url: "https://chief.example.net", control: [options, silence]}
            """
        let remote = RemoteControl(try Configuration.parse(text, file: "config.yaml"))
        let before = TrackingOptions()
        func key(_ change: (inout TrackingOptions) -> Void) -> String? {
            var after = before
            change(&after)
            return remote.silencingKey(from: before, to: after)
        }
        #expect(key { $0.desiredSyncInterval = .seconds(600) } == nil)
        #expect(key { $0.desiredSyncInterval = .seconds(601) } == "desiredSyncInterval")
        #expect(key { $0.distanceFilter = Metres(501) } == "distanceFilter")
        #expect(key { $0.distanceFilter = Metres(500) } == nil)
        #expect(key { $0.accuracyLimit = Metres(99) } == (before.accuracyLimit <= Metres(99) ? nil : "accuracyLimit"))
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
        tracker.remoteControl = RemoteControl(["home": [.options]])
        let report = try conversation.order(#"{"request":"options","options":{"turnFilter":33}}"#)
        #expect(report?.isAccepted == true && tracker.engine.optionsTrial?.target == "home")
        // The record about the order is settled, but the server has received no more records than before the order.
        try conversation.settleAll()
        tracker.proveOptions(at: Instant(seconds: 60))
        #expect(tracker.engine.optionsTrial != nil)
        received.count.store(4, ordering: .relaxed)
        tracker.proveOptions(at: Instant(seconds: 61))
        #expect(tracker.engine.optionsTrial == nil)
    }
}

/// The number of records that a server has received.
private final class Received: Sendable {
    let count = Atomic(0)
}
