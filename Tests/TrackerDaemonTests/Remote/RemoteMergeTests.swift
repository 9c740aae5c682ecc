@testable import Control
import Formats
import Quantities
import Testing
@testable import TrackerDaemon
import Tracking
import TrackingOptions

@Suite("A server's options that change single keys")
struct RemoteMergeTests {
    private let conversation: ControlConversation

    init() throws {
        conversation = try ControlConversation()
        conversation.permit(["home": [.options]])
        let options = #"{"drivingEvents":true,"heartbeatInterval":900}"#
        _ = conversation.reply(to: #"{"request":"tracking start","options":\#(options)}"#)
    }

    private var options: TrackingOptions { conversation.tracker.runner.engine.status.resolvedOptions.options }

    private func configure(_ keys: String, id: String) throws -> OrderReport {
        let order = #"{"_type":"cmd","action":"setConfiguration","configuration":{"_type":"configuration",\#(keys)}}"#
        return try #require(try conversation.order(order, id: id))
    }

    @Test("OwnTracks' command `setConfiguration` changes only the keys that it contains.")
    func setConfiguration() throws {
        var expected = options
        #expect(try configure(#""locatorInterval":30"#, id: "c1").isAccepted)
        (expected.desiredMovingUpdateInterval, expected.desiredStoppedUpdateInterval) = (.seconds(30), .seconds(30))
        #expect(options == expected)
        #expect(try configure(#""ping":5,"host":"broker.example.net""#, id: "c2").isAccepted)
        expected.heartbeatInterval = .seconds(300)
        #expect(options == expected)
        #expect(try configure(#""locatorInterval":60"#, id: "c3").isAccepted)
        (expected.desiredMovingUpdateInterval, expected.desiredStoppedUpdateInterval) = (.seconds(60), .seconds(60))
        #expect(options == expected)
        #expect(try conversation.order(#"{"request":"options","options":{}}"#, id: "c4")?.isAccepted == true)
        #expect(options.desiredMovingUpdateInterval == .zero && options.heartbeatInterval == .seconds(900))
    }

    @Test(
        "OwnTracks' key `monitoring` selects a mode with its values, and back again; the owner's own values remain.",
        arguments: [[.options], [.options, .mode, .silence]] as [Set<RemotePermission>])
    func monitoring(permissions: Set<RemotePermission>) throws {
        conversation.permit(["home": permissions])
        let own =
            #"{"drivingEvents":true,"heartbeatInterval":900,"accuracyLimit":66,"turnFilter":37,"stopTimeout":480}"#
        _ = conversation.reply(to: #"{"request":"tracking start","options":\#(own)}"#)
        let before = options
        let report = try configure(#""monitoring":1"#, id: "c1")
        // Without `silence`, a server may not make the track coarser.
        #expect(report.text.contains("The owner's values of ") == !permissions.contains(.silence), "\(report.text)")
        #expect(options.monitoring == .significant && options.fastestMovingUpdateInterval == .seconds(300))
        #expect(options.drivingEvents && options.heartbeatInterval == .seconds(900))
        #expect(options.accuracyLimit == Metres(66) && options.turnFilter == Degrees(37))
        #expect(options.stopTimeout == .seconds(480))
        #expect(try configure(#""ping":5"#, id: "c2").isAccepted)
        #expect(options.monitoring == .significant && options.heartbeatInterval == .seconds(300))
        #expect(try configure(#""monitoring":2"#, id: "c3").isAccepted)
        var expected = before
        expected.heartbeatInterval = .seconds(300)
        #expect(options == expected)
    }

    @Test("The answer states that a key has no effect in the present mode.")
    func noEffect() throws {
        #expect(try configure(#""monitoring":1"#, id: "c1").isAccepted)
        let report = try configure(#""locatorInterval":30"#, id: "c2")
        #expect(report.text.hasPrefix("No option has changed."))
        #expect(
            report.text.contains(
                "`remote.ownTracks.locatorInterval` has no effect in OwnTracks' mode significant on iOS."))
    }

    @Test(
        "Options for other systems or another environment are refused, and the former ones remain.",
        arguments: [
            #"{"live":{"android":{"stopTimeout":"9m"}}}"#, #"{"test":{"linux":{"stopTimeout":"9m"}}}"#,
            #"{"ios":{"stopTimeout":"9m"},"android":{"stopTimeout":"8m"}}"#,
        ])
    func others(options other: String) throws {
        #expect(
            try conversation.order(#"{"request":"options","options":{"stopTimeout":"5m"}}"#, id: "o1")?.isAccepted
                == true)
        let report = try #require(try conversation.order(#"{"request":"options","options":\#(other)}"#, id: "o2"))
        #expect(!report.isAccepted && report.text.contains("`live`"), "\(report.text)")
        #expect(options.stopTimeout == .seconds(300))
        let empty = #"{"request":"options","options":{"live":{"ios":{"stopTimeout":"9m"},"linux":{}}}}"#
        #expect(try conversation.order(empty, id: "o3")?.isAccepted == true)
        #expect(options.stopTimeout == .seconds(180))
    }

    @Test("A value for one mode leaves the server's earlier value for all modes in force in the others.")
    func oneMode() throws {
        let first = #"{"request":"options","merge":true,"options":{"desiredMovingUpdateInterval":30}}"#
        #expect(try conversation.order(first, id: "p1")?.isAccepted == true)
        #expect(try configure(#""locatorInterval":60"#, id: "p2").isAccepted)
        #expect(options.desiredMovingUpdateInterval == .seconds(60))
        _ = conversation.reply(to: #"{"request":"mode","mode":"significant"}"#)
        #expect(options.monitoring == .significant && options.desiredMovingUpdateInterval == .seconds(30))
    }

    @Test("An order with `merge` adds to the earlier options, also per trip status; one without it replaces them.")
    func merge() throws {
        func order(_ options: String, merge: Bool, id: String) throws -> Bool? {
            try conversation.order(
                #"{"request":"options","merge":\#(merge),"options":\#(options)}"#, id: id)?.isAccepted
        }
        #expect(try order(#"{"stopTimeout":"5m"}"#, merge: false, id: "m1") == true)
        #expect(try order(#"{"desiredMovingUpdateInterval":30}"#, merge: true, id: "m2") == true)
        #expect(options.stopTimeout == .seconds(300) && options.desiredMovingUpdateInterval == .seconds(30))
        #expect(try order(#"{"onTrip":{"turnFilter":20},"offTrip":{"turnFilter":40}}"#, merge: true, id: "m3") == true)
        #expect(options.stopTimeout == .seconds(300) && options.turnFilter == Degrees(40))
        #expect(try order(#"{"desiredMovingUpdateInterval":60}"#, merge: false, id: "m4") == true)
        #expect(options.stopTimeout == .seconds(180) && options.turnFilter == Degrees(90))
    }
}
