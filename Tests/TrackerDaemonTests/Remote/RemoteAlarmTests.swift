@testable import Control
import Testing
@testable import TrackerDaemon
import Tracking
import TrackingOptions

@Suite("A server's options for alarms, visits and heartbeats")
struct RemoteAlarmTests {
    /// Makes a tracker whose owner wants alarms, visits and heartbeats; the target `home` has these permissions.
    private func conversation(_ permissions: RemotePermission...) throws -> ControlConversation {
        let conversation = try ControlConversation()
        conversation.permit(["home": Set(permissions)])
        let alarms = #""drivingEvents":true,"speedLimit":30,"jammingLevel":100"#
        let options = #"{\#(alarms),"useVisits":true,"heartbeatInterval":900}"#
        _ = conversation.reply(to: #"{"request":"tracking start","options":\#(options)}"#)
        return conversation
    }

    private func order(_ option: String) -> String { #"{"request":"options","options":{\#(option)}}"# }

    @Test(
        "A server without `silence` cannot switch alarms, visits or heartbeats off, or exceed their limits.",
        arguments: [
            (#""drivingEvents":false"#, "drivingEvents"), (#""speedLimit":0"#, "speedLimit"),
            (#""speedLimit":30.1"#, "speedLimit"), (#""jammingLevel":0"#, "jammingLevel"),
            (#""jammingLevel":101"#, "jammingLevel"), (#""useVisits":false"#, "useVisits"),
            (#""heartbeatInterval":0"#, "heartbeatInterval"), (#""heartbeatInterval":3601"#, "heartbeatInterval"),
        ])
    func weaker(option: String, key: String) throws {
        let refusing = try conversation(.options)
        let before = refusing.tracker.runner.engine.status.resolvedOptions.options
        let refused = try #require(try refusing.order(order(option)))
        #expect(!refused.isAccepted)
        #expect(refused.text.hasPrefix("this value of `\(key)` would silence the tracker. Add `silence`"))
        #expect(refusing.tracker.runner.engine.status.resolvedOptions.options == before)

        let permitting = try conversation(.options, .silence)
        #expect(try permitting.order(order(option))?.isAccepted == true)
        #expect(permitting.tracker.runner.engine.status.resolvedOptions.options != before)
    }

    @Test(
        "A server without the permission `silence` may set values within the limits, and withdraw its options.",
        arguments: [
            #""drivingEvents":true"#, #""speedLimit":20"#, #""jammingLevel":50"#, #""heartbeatInterval":60"#,
            #""heartbeatInterval":3600"#,
        ])
    func stronger(option: String) throws {
        let conversation = try conversation(.options)
        let before = conversation.tracker.runner.engine.status.resolvedOptions.options
        #expect(try conversation.order(order(option), id: "a1")?.isAccepted == true)
        #expect(try conversation.order(order(#""speedLimit":30"#), id: "a2")?.isAccepted == true)
        #expect(try conversation.order(order(""), id: "a3")?.isAccepted == true)
        #expect(conversation.tracker.runner.engine.status.resolvedOptions.options == before)
    }

    @Test("A server may switch off an alarm that the owner has not switched on.")
    func ownersChoice() throws {
        let conversation = try ControlConversation()
        conversation.permit(["home": [.options]])
        let on = order(#""drivingEvents":true,"speedLimit":20"#)
        #expect(try conversation.order(on, id: "a1")?.isAccepted == true)
        #expect(conversation.tracker.runner.engine.status.resolvedOptions.options.drivingEvents)
        let off = order(#""drivingEvents":false,"speedLimit":0"#)
        #expect(try conversation.order(off, id: "a2")?.isAccepted == true)
        #expect(!conversation.tracker.runner.engine.status.resolvedOptions.options.drivingEvents)
    }
}
