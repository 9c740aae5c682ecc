import Contracts
@testable import Delivery
@testable import Formats
import Foundation
import Peers
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("The Home Assistant format")
struct HomeAssistantTests {
    private let target: UploadTarget

    init() throws { target = try .sample("mqtts://track.example.net", "homeassistant") }

    @Test("A record becomes a state and a position, in exactly these bytes and on these topics.")
    func whole() throws {
        let record = StoredRecord.whole.with { ($0.ignition, $0.supply) = (true, Volts(12.613)) }
        let payload = try #require(packed([record]))
        #expect(payload.topic == "trackerd/fleet/van1/state")
        #expect(
            text(payload) == #"""
                {"event":"motionchange","ignition":true,"odometer":18342.7,"speed":47,"state":"moving",\#
                "time":"2025-10-09T08:53:20.000Z","trip":3,"voltage":12.61}
                """#)
        let place = try #require(payload.companions.last)
        #expect(place.topic == "trackerd/fleet/van1/location")
        #expect(
            text(place) == #"""
                {"altitude":3,"course":212,"gps_accuracy":6,"latitude":52.374031,"longitude":4.889692,"speed":47,\#
                "time":"2025-10-09T08:53:20.000Z"}
                """#)
        #expect(!([payload] + payload.companions).map(\.retain).contains(false))
        // Only some boards measure these values, so trackerd announces them together with the first event that contains them.
        #expect(
            payload.companions.dropLast().map(\.topic) == [
                "homeassistant/binary_sensor/trackerd_fleet_van1/ignition/config",
                "homeassistant/sensor/trackerd_fleet_van1/voltage/config",
            ])
    }

    @Test("Unknown values are null, and a parked vehicle stands still.")
    func bare() throws {
        let payload = try #require(packed([.bare]))
        #expect(
            text(payload) == #"""
                {"event":"location","ignition":null,"odometer":0,"speed":0,"state":"parked",\#
                "time":"2025-10-09T08:53:20.000Z","voltage":null}
                """#)
        #expect(payload.companions.map(\.topic) == ["trackerd/fleet/van1/location"])
        let place = try #require(payload.companions.first.map(text))
        #expect(place.contains(#""gps_accuracy":50,"#))
    }

    @Test("Several records become the last state and the last position.")
    func folded() throws {
        let last = StoredRecord.whole.with { ($0.content, $0.position) = (.ping, nil) }
        let payload = try #require(packed([.bare, .whole, last]))
        #expect(text(payload).contains(#""event":"ping""#))
        #expect(payload.companions.last.map(text)?.contains(#""latitude":52.374031"#) == true)
        #expect(payload.companions.count == 1)
    }

    @Test("A fault of a part is shown as a problem until the part works again.")
    func problem() throws {
        let lost = StoredRecord.bare.with { ($0.content, $0.position) = (.providerchange(.init(.silent)), nil) }
        let payload = try #require(packed([lost]))
        #expect(
            payload.companions.map(\.topic) == [
                "homeassistant/binary_sensor/trackerd_fleet_van1/problem_receiver/config",
                "trackerd/fleet/van1/problem/receiver",
            ])
        #expect(payload.companions.last.map(text) == "ON")
        let back = lost.with { $0.content = .providerchange(.init(.available)) }
        #expect(packed([lost, back])?.companions.last.map(text) == "OFF")
        let storage = lost.with { $0.content = .health(.init(.storageFailing)) }
        #expect(packed([storage])?.companions.last?.topic == "trackerd/fleet/van1/problem/storage")
    }

    private static let faults: [(content: Record.Content, part: String, state: String)] = [
        (.providerchange(.init(.silent)), "receiver", "ON"), (.providerchange(.init(.frozen)), "receiver", "ON"),
        (.providerchange(.init(.unswitchable)), "receiver", "ON"), (.providerchange(.init(.noFix)), "receiver", "OFF"),
        (.providerchange(.init(.available)), "receiver", "OFF"),
        (.providerchange(.init(.jammed)), "jamming", "ON"), (.providerchange(.init(.jammingEnded)), "jamming", "OFF"),
        (.power(.supplyLost), "supply", "ON"), (.power(.supplyLow), "supply", "ON"),
        (.power(.supplyBack), "supply", "OFF"),
        (.health(.init(.accelerometerLost)), "accelerometer", "ON"),
        (.health(.init(.accelerometerBack)), "accelerometer", "OFF"),
        (.health(.init(.busErrors)), "bus", "ON"), (.health(.init(.busBack)), "bus", "OFF"),
        (.health(.init(.storageFailing)), "storage", "ON"), (.health(.init(.storageBack)), "storage", "OFF"),
        (.health(.init(.clockNotSet)), "clock", "ON"), (.health(.init(.clockSet)), "clock", "OFF"),
    ]

    @Test("Each change of a part's condition begins or ends a problem.", arguments: faults.indices)
    func parts(index: Int) throws {
        let (content, part, state) = Self.faults[index]
        let record = StoredRecord.bare.with { ($0.content, $0.position) = (content, nil) }
        let message = try #require(packed([record])?.companions.last)
        #expect(message.topic == "trackerd/fleet/van1/problem/\(part)")
        #expect(text(message) == state)
    }

    @Test("The introduction configures each entity of every vehicle, and then announces the connection.")
    func introduction() throws {
        let messages = target.format.introduction(for: target.sender)
        #expect(
            messages.map(\.topic) == [
                "homeassistant/device_tracker/trackerd_fleet_van1/location/config",
                "homeassistant/sensor/trackerd_fleet_van1/state/config",
                "homeassistant/sensor/trackerd_fleet_van1/speed/config",
                "homeassistant/sensor/trackerd_fleet_van1/odometer/config",
                "homeassistant/sensor/trackerd_fleet_van1/last_record/config",
                "homeassistant/binary_sensor/trackerd_fleet_van1/connection/config",
                "trackerd/fleet/van1/availability",
            ])
        #expect(!messages.map(\.retain).contains(false))
        #expect(
            text(messages[0]) == #"""
                {"device":{"identifiers":["trackerd_fleet_van1"],"manufacturer":"trackerd","model":"Vehicle tracker",\#
                "name":"van1"},"json_attributes_topic":"trackerd/fleet/van1/location","name":null,\#
                "origin":{"name":"trackerd"},"source_type":"gps","state_topic":"trackerd/fleet/van1/location",\#
                "unique_id":"trackerd_fleet_van1_location","value_template":"None"}
                """#)
        #expect(
            text(messages[2]) == #"""
                {"availability_topic":"trackerd/fleet/van1/availability",\#
                "device":{"identifiers":["trackerd_fleet_van1"],"manufacturer":"trackerd","model":"Vehicle tracker",\#
                "name":"van1"},"device_class":"speed","name":"Speed","origin":{"name":"trackerd"},\#
                "state_class":"measurement","state_topic":"trackerd/fleet/van1/state","suggested_display_precision":0,\#
                "unique_id":"trackerd_fleet_van1_speed","unit_of_measurement":"km/h",\#
                "value_template":"{{ value_json.speed }}"}
                """#)
        #expect(text(messages[6]) == "online")
        let will = try #require(target.format.will(for: target.sender, connectedAt: Timestamp(milliseconds: 0)))
        #expect(text(will) == "offline" && will.retain && will.topic == "trackerd/fleet/van1/availability")
    }

    @Test("Names that a discovery topic cannot contain are written as codes.")
    func names() throws {
        let target = try UploadTarget(
            name: "home", url: "mqtts://track.example.net", format: "homeassistant", user: "Büro 1", device: "van1",
            mqtt: MQTTOptions(topic: "cars/{device}"))
        let messages = target.format.introduction(for: target.sender)
        #expect(messages[1].topic == "homeassistant/sensor/trackerd_B_fcro_201_van1/state/config")
        #expect(messages[6].topic == "cars/van1/availability")
    }

    private func packed(_ records: [StoredRecord]) -> WirePayload? {
        guard
            case .payload(let payload) = target.format.encode(records, isNewest: true, for: target.sender, over: .mqtt)
        else {
            return nil
        }
        return payload
    }

    private func text(_ payload: WirePayload) -> String { String(decoding: payload.body, as: UTF8.self) }
}

@Suite(
    "Home Assistant's broker",
    .enabled(
        if: Broker.program != nil && WebServer.python != nil, "mosquitto or python3 is missing: apt install mosquitto"))
struct HomeAssistantBrokerTests {
    private let broker: Broker
    private let target: UploadTarget

    init() throws {
        broker = try Broker()
        try broker.start()
        target = try .sample(broker.url, "homeassistant")
    }

    @Test("The device is introduced before its first state, and again when Home Assistant starts.")
    func birth() throws {
        var driver = try Driver(target: target)
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        let before = published
        #expect(before.first?.topic == "homeassistant/device_tracker/trackerd_fleet_van1/location/config")
        #expect(before.map(\.topic).suffix(2) == ["trackerd/fleet/van1/location", "trackerd/fleet/van1/state"])
        // trackerd introduces the device at most once in 30 s, so two birth messages get one answer.
        for _ in 0..<2 { try publish("online", retained: false) }
        var later = UploadClocks.ofTests.now() + .seconds(31)
        var outcomes: [BatchOutcome] = []
        #expect(
            eventually {
                later = later + .milliseconds(1)
                outcomes += driver.transport.advance(at: later)
                return published.count >= before.count + 7
            })
        #expect(outcomes.isEmpty)
        #expect(published.count == before.count + 7)
        #expect(published.last?.payload == "online")
        driver.transport.close()
        #expect(eventually { broker.messages.last?.payload == "offline" })
    }

    @Test("A retained birth message is ignored, because it is old.")
    func retained() throws {
        try publish("online", retained: true)
        var driver = try Driver(target: target)
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        driver.send(2)
        #expect(driver.verdicts(1) == [2: .delivered])
        let later = UploadClocks.ofTests.now() + .seconds(31)
        #expect(driver.transport.deadline.map { $0 > later } == true)
        driver.transport.close()
    }

    private var published: [Broker.Message] { broker.messages.filter { $0.topic != "homeassistant/status" } }

    private func publish(_ words: String, retained: Bool) throws {
        let program = try #require(Child.find("mosquitto_pub"))
        let address = try ServerAddress(broker.url)
        let arguments = ["-p", "\(address.port ?? 0)", "-t", "homeassistant/status", "-m", words, "-q", "1"]
        let child = try Child(program, arguments + (retained ? ["-r"] : []))
        child.wait()
        try #require(child.status == 0)
    }
}

@Suite("A receiver that keeps only the last state")
struct StateOnlyTests {
    @Test("After an outage, Home Assistant gets only the last state of the backlog.")
    func backlog() throws {
        let broker = try ScriptedBroker(.init())
        let target = try UploadTarget.sample(broker.url, "homeassistant")
        let worker = try RunningWorker([target], SampleRecords.many(2500))
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(broker.notes("publish").count { $0.topic == "trackerd/fleet/van1/state" } == 1)
    }
}
