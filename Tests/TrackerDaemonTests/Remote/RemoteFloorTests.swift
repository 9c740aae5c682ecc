@testable import Control
import Quantities
import Testing
@testable import TrackerDaemon
import Tracking
import TrackingOptions

@Suite("A server's options and the owner's floor")
struct RemoteFloorTests {
    /// Makes a tracker; the target `home` has these permissions.
    private func conversation(
        _ permissions: RemotePermission..., change: (inout EngineConfiguration) -> Void = { _ in }
    ) throws -> ControlConversation {
        let conversation = try ControlConversation(change)
        conversation.permit(["home": Set(permissions)])
        return conversation
    }

    private func order(_ options: String) -> String { #"{"request":"options","options":\#(options)}"# }

    private func options(_ conversation: ControlConversation) -> TrackingOptions {
        conversation.tracker.runner.engine.status.resolvedOptions.options
    }

    @Test(
        "A server without `silence` cannot hide drives, positions or stops with any option.",
        arguments: [
            (#"{"desiredAccuracy":"none"}"#, "desiredAccuracy"), (#"{"startDelay":"1d"}"#, "startDelay"),
            (#"{"startDistance":100000}"#, "startDistance"), (#"{"motionTriggerDelay":"23h"}"#, "motionTriggerDelay"),
            (#"{"parkedCheckInterval":0}"#, "parkedCheckInterval"), (#"{"stopTimeout":"1s"}"#, "stopTimeout"),
            (#"{"fixTimeout":"1s"}"#, "fixTimeout"), (#"{"updateRule":"all","distanceFilter":10000}"#, "updateRule"),
            (#"{"sync":"stopsAndExits"}"#, "sync"), (#"{"distanceFilter":0}"#, "distanceFilter"),
            (#"{"stopDuration":1,"stopDistance":100000}"#, "stopDuration"), (#"{"stopTimeout":"1d"}"#, "stopTimeout"),
            (#"{"stationaryInterval":1}"#, "stationaryInterval"), (#"{"stationaryRadius":100000}"#, "stationaryRadius"),
            (#"{"useStoppedGeofence":true,"stoppedGeofenceRadius":90000}"#, "useStoppedGeofence"),
            (#"{"elasticityMultiplier":100}"#, "elasticityMultiplier"), (#"{"turnFilter":0}"#, "turnFilter"),
            (#"{"onTrip":{"startDelay":"1d"}}"#, "startDelay"), (#"{"offTrip":{"startDelay":"1d"}}"#, "startDelay"),
        ])
    func attack(options text: String, key: String) throws {
        let refusing = try conversation(.options)
        let before = options(refusing)
        let refused = try #require(try refusing.order(order(text)))
        #expect(!refused.isAccepted)
        #expect(refused.text.hasPrefix("this value of `\(key)` would silence the tracker. Add `silence`"))
        #expect(options(refusing) == before && refusing.tracker.runner.engine.status.optionsTrial == nil)
        #expect(try conversation(.options, .silence).order(order(text))?.isAccepted == true)
    }

    @Test("A server cannot use the owner's mode `quiet` to set a value below the floor that applies after the mode.")
    func later() throws {
        let inMode = try conversation(.options)
        _ = inMode.reply(to: #"{"request":"mode","mode":"quiet"}"#)
        #expect(try inMode.order(order(#"{"distanceFilter":0}"#))?.isAccepted == false)
        #expect(try inMode.order(order(#"{"startDelay":"1h"}"#), id: "a2")?.isAccepted == false)
    }

    @Test("A server cannot switch off the scan for a configured beacon.")
    func beacons() throws {
        let conversation = try conversation(.options) { setup in
            let beacon = BeaconIdentity(uuid: "fda50693-a4e2-4fb1-afcf-c6eb07647825", major: 1, minor: 1)
            setup.markedBeacons = [MarkedBeacon(beacon, name: "van", role: .vehicle)]
        }
        #expect(options(conversation).beacons)
        #expect(try conversation.order(order(#"{"beacons":false}"#))?.isAccepted == false)
        #expect(try conversation.order(order(#"{"preset":"CONTINUOUS"}"#), id: "a2")?.isAccepted == true)
        #expect(options(conversation).beacons)
    }

    @Test(
        "Radar's presets and their profiles apply as far as the floor permits, and the answer names the owner's values.",
        arguments: [
            (#"{"preset":"CONTINUOUS"}"#, 30), (#"{"preset":"RESPONSIVE"}"#, 150), (#"{"preset":"EFFICIENT"}"#, 1200),
            (#"{"preset":"presetContinuous"}"#, 30), (#"{"profile":"continuous"}"#, 30),
        ])
    func preset(text: String, interval: Int) throws {
        let conversation = try conversation(.options) { setup in
            var owned = Profile.vehicle.options
            (owned.heartbeatInterval, owned.drivingEvents, owned.maxDaysToPersist) = (.seconds(600), true, 30)
            setup.layers = EngineConfiguration(options: owned).layers
        }
        let report = try #require(try conversation.order(order(text)))
        #expect(report.isAccepted, "\(report.text)")
        let after = options(conversation)
        #expect(after.desiredMovingUpdateInterval == .seconds(interval))
        #expect(after.replay == .all && after.heartbeatInterval == .seconds(600))
        #expect(after.drivingEvents && after.maxDaysToPersist == 30)
        for key in ["replay", "heartbeatInterval", "drivingEvents", "maxDaysToPersist"] {
            #expect(report.text.contains(" remain in force.") && report.text.contains(key), "\(report.text)")
        }
        #expect(try conversation.order(order("{}"), id: "a2")?.isAccepted == true)
    }

    @Test("A key that the order names is refused, also next to a preset that has the same value.")
    func named() throws {
        let conversation = try conversation(.options)
        let report = try #require(try conversation.order(order(#"{"preset":"CONTINUOUS","replay":"none"}"#)))
        #expect(report.text.hasPrefix("this value of `replay` would silence the tracker."))
    }

    @Test("An order may switch off one rule of the track if the owner's value of another rule remains.")
    func oneRule() throws {
        let conversation = try conversation(.options) { setup in
            var owned = Profile.vehicle.options
            owned.desiredMovingUpdateInterval = .seconds(60)
            setup.layers = EngineConfiguration(options: owned).layers
        }
        let report = try #require(try conversation.order(order(#"{"profile":"efficient-ios","distanceFilter":0}"#)))
        #expect(report.isAccepted && report.text.contains("desiredMovingUpdateInterval"), "\(report.text)")
        #expect(options(conversation).desiredMovingUpdateInterval == .seconds(60))
        #expect(options(conversation).distanceFilter == .zero)
    }

    @Test("A server with the permission `silence` sets a preset as a whole, except the limits for stored records.")
    func wholePreset() throws {
        let conversation = try conversation(.options, .silence) { setup in
            var owned = Profile.vehicle.options
            owned.maxDaysToPersist = 30
            setup.layers = EngineConfiguration(options: owned).layers
        }
        let report = try #require(try conversation.order(order(#"{"preset":"CONTINUOUS"}"#)))
        #expect(report.text.hasSuffix("The owner's values of maxDaysToPersist remain in force."))
        #expect(options(conversation).replay == .none && options(conversation).maxDaysToPersist == 30)
    }
}
