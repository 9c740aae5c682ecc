import Compatibility
@testable import Control
import Quantities
import TestSupport
import Testing
@testable import TrackerDaemon
import Tracking
import TrackingOptions

@Suite("A server's options after the owner's floor has changed")
struct RemoteFloorOverTimeTests {
    private let conversation: ControlConversation

    init() throws {
        conversation = try ControlConversation()
        conversation.permit(["home": [.options]])
    }

    private var options: TrackingOptions { conversation.tracker.runner.engine.status.resolvedOptions.options }

    private func value(_ key: String) -> String? { TrackingOption.named(key)?.value(in: options).description }

    private func order(_ options: String, id: String = "a1") throws -> OrderReport? {
        try conversation.order(#"{"request":"options","options":\#(options)}"#, id: id)
    }

    /// The owner's options with this value of one option, as in the configuration file.
    private func file(_ key: String, _ text: String) throws -> OptionLayers {
        let option = try #require(TrackingOption.named(key))
        let value = try #require(option.kind.value(of: text))
        return OptionLayers([
            .profile(.vehicle), OptionLayer(.file, name: "config.yaml", [OptionAssignment(key, value, source: "file")]),
        ])
    }

    @Test(
        "A value that only the owner's temporary options allow ends with them, and applies again with them.",
        arguments: [
            ("sync", "none"), ("sync", "stopsAndExits"), ("desiredSyncInterval", "11h"), ("startDelay", "1d"),
            ("monitoring", "quiet"), ("replay", "none"), ("turnFilter", "0"), ("trackOutsideSchedule", "false"),
            ("startTrackingAfter", "2030-01-01T00:00:00Z"), ("accuracyLimit", "2"), ("useVisits", "false"),
            ("maxDaysToPersist", "1"), ("heartbeatInterval", "0"),
        ])
    func temporary(key: String, text: String) throws {
        conversation.permit(["home": [.options]]) { setup in
            var owned = Profile.vehicle.options
            (owned.useVisits, owned.heartbeatInterval, owned.trackOutsideSchedule) = (true, .seconds(600), true)
            setup.layers = EngineConfiguration(options: owned).layers
        }
        let before = options
        let night = #"{"request":"tracking start","name":"night","options":{"profile":"vehicle","\#(key)":"\#(text)"}}"#
        let reset = #"{"request":"tracking reset"}"#
        _ = conversation.reply(to: night)
        let during = value(key)
        try #require(options != before)
        #expect(try order(#"{"\#(key)":"\#(text)"}"#)?.isAccepted == true)
        _ = conversation.reply(to: reset)
        #expect(options == before)
        let shown = conversation.reply(to: #"{"request":"config show","option":"\#(key)"}"#) ?? ""
        #expect(shown.contains("; the server's ") && shown.contains(" does not apply"), "\(shown)")
        #expect(!shown.contains(#""origin":"remote""#))
        _ = conversation.reply(to: night)
        #expect(value(key) == during)
        _ = conversation.reply(to: reset)
        #expect(options == before)
    }

    @Test(
        "A value that only the file allows ends when the owner removes it from the file.",
        arguments: [
            ("sync", "stopsAndExits"), ("desiredSyncInterval", "6h"), ("distanceFilter", "50000"),
            ("desiredAccuracy", "none"), ("parkedCheckInterval", "0"),
        ])
    func removedFromFile(key: String, text: String) throws {
        let plain = OptionLayers([.profile(.vehicle)])
        let layers = try file(key, text)
        conversation.permit(["home": [.options]]) { $0.layers = layers }
        let inFile = value(key)
        #expect(try order(#"{"\#(key)":"\#(text)"}"#)?.isAccepted == true)
        conversation.permit(["home": [.options]]) { $0.layers = plain }
        #expect(options == Profile.vehicle.options)
        conversation.permit(["home": [.options]]) { $0.layers = layers }
        #expect(value(key) == inFile)
    }

    @Test("A limit or the permission `silence` that the owner withdraws ends the values that it allowed.")
    func withdrawn() throws {
        var limits = ServerLimits()
        limits.interval = .seconds(6 * 3600)
        conversation.permit(["home": [.options]], limits: limits)
        #expect(try order(#"{"desiredSyncInterval":"5h"}"#)?.isAccepted == true)
        #expect(options.desiredSyncInterval == .seconds(18_000))
        conversation.permit(["home": [.options]])
        #expect(options.desiredSyncInterval == Profile.vehicle.options.desiredSyncInterval)
        conversation.permit(["home": [.options]], limits: limits)
        #expect(options.desiredSyncInterval == .seconds(18_000))

        conversation.permit(["home": [.options, .silence]])
        #expect(try order(#"{"sync":"none"}"#, id: "a2")?.isAccepted == true)
        #expect(options.sync == .none)
        conversation.permit(["home": [.options], "work": [.options, .silence]])
        #expect(options.sync == .all)
        // After a restart, the engine knows whose server has set the value.
        var setup = EngineConfiguration(options: Profile.vehicle.options)
        let state = conversation.tracker.runner.engine.state
        #expect(Engine(setup, restoring: state).status.resolvedOptions.options.sync == .all)
        setup.serverRights = ServerRights(silence: ["home"])
        #expect(Engine(setup, restoring: state).status.resolvedOptions.options.sync == .none)
    }

    @Test("An order of another server with `merge` keeps no values that this server may not set.")
    func merged() throws {
        conversation.permit(["home": [.options, .silence]])
        #expect(try order(#"{"sync":"none","turnFilter":20}"#)?.isAccepted == true)
        conversation.permit(["home": [.options]])
        let report = try conversation.order(
            #"{"request":"options","merge":true,"options":{"stopTimeout":"5m"}}"#, id: "a2")
        #expect(report?.isAccepted == true && report?.text.contains("values of sync") == true)
        #expect(options.sync == .all && options.stopTimeout == .seconds(300) && options.turnFilter == Degrees(20))
    }

    @Test(
        "Whatever layers come and go, no value of a server without `silence` is below the owner's floor.",
        arguments: 0..<60)
    func property(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var limits = ServerLimits()
        for step in 0..<40 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                let layers = Self.layers(.remote, &random)
                conversation.tell(.remoteOptions(layers, target: "home"), at: step)
            case 3:
                conversation.tell(.options(.custom, Self.layers(.custom, &random)), at: step)
            case 4: conversation.tell(.options(.custom, []), at: step)
            case 5:
                conversation.tell(
                    .command(.mode([nil, .quiet, .manual, .significant, .move].randomElement(using: &random) ?? nil)),
                    at: step)
            case 6:
                limits.interval = .seconds(Int.random(in: 60...86_400, using: &random))
                limits.distance = Metres(Double.random(in: 10...1e6, using: &random))
                limits.accuracy = Metres(Double.random(in: 5...10_000, using: &random))
                fallthrough
            default:
                let layers = OptionLayers([.profile(.vehicle)] + Self.layers(.file, &random))
                conversation.permit(["home": [.options]], limits: limits) { $0.layers = layers }
            }
            try check(limits)
        }
    }

    /// Compares the options in force with those without the layers of the server.
    private func check(_ limits: ServerLimits) throws {
        let engine = conversation.tracker.runner.engine
        let isOnTrip = engine.state.logbook.trips.isDeclared
        var (owned, lasting) = (engine.status.optionLayers, engine.status.optionLayers)
        owned.replace(.remote, with: [])
        lasting.replace(.supply, with: [])
        let floor = FloorCheck(owned: owned.resolve(isOnTrip: isOnTrip).options, limits: limits)
        #expect(floor.silencingKeys(in: options) == [] && floor.forbiddenKeys(in: options) == [])
        // A value that is not withheld is the one in the layers.
        let wanted = lasting.resolve(isOnTrip: isOnTrip)
        for (item, own) in zip(engine.status.resolvedOptions.items, wanted.items) where item.withheld == nil {
            #expect(item.value == own.value && item.origin == own.origin)
        }
    }

    private static func layers(_ origin: OptionOrigin, _ random: inout SplitMix) -> [OptionLayer] {
        let isSplit = origin == .remote && Bool.random(using: &random)
        return (isSplit ? [true, false] : [nil]).map { onTrip in
            let profile = Profile.all.randomElement(using: &random)?.assignments ?? []
            var assignments = origin == .remote && Int.random(in: 0..<4, using: &random) == 0 ? profile : []
            for option in TrackingOption.all where Int.random(in: 0..<6, using: &random) == 0 {
                let values = Profile.all.compactMap { $0.assignments.last { $0.key == option.key }?.value }
                if let value = Self.extremes(of: option, &random) ?? values.randomElement(using: &random) {
                    assignments.append(OptionAssignment(option.key, value, source: "drawn"))
                }
            }
            return OptionLayer(origin, name: "drawn", onTrip: onTrip, assignments)
        }
    }

    private static func extremes(of option: TrackingOption, _ random: inout SplitMix) -> OptionValue? {
        let numbers = [0, 1, 30, 59, 60, 61, 149, 151, 600, 3599, 3600, 3601, 20_000, 86_400]
        let number = numbers.randomElement(using: &random) ?? 0
        let value: OptionValue =
            switch option.kind {
            case .duration: .duration(.seconds(number))
            case .metres: .length(Metres(Double(number)))
            case .speed: .speed(MetresPerSecond(Double(number)))
            case .degrees: .angle(Degrees(Double(number)))
            case .count: .count(number)
            case .number: .number(Double(number))
            case .flag: .flag(number > 60)
            case .choice(let words): words.randomElement(using: &random).map { .choice($0) } ?? .nothing
            case .timestamp: .timestamp(Timestamp(milliseconds: Int64(number) * 1_000_000_000))
            case .text, .timeOfDay, .crontab: .nothing
            }
        return option.kind.accepts(value) ? value : nil
    }
}
