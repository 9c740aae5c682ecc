import Foundation
import Peers
import Testing

@Suite("Brokers", .enabled(if: WebServer.python != nil, "python3 is missing"))
struct BrokerTests {
    @Test("Records that the access rules forbid wait on the device, and the log names the topic.")
    func forbidden() throws {
        let broker = try ScriptedBroker(.with { $0.pubacks = ["van1": 0x87] })
        let vehicle = try Vehicle(targets: ["{name: home, url: \"\(broker.url)\", user: fleet}"])
        let daemon = try vehicle.start()
        let reason = "the broker's access rules forbid publishing to `owntracks/fleet/van1`"
        #expect(
            eventually {
                daemon.logged.contains("home: uploads are failing (the server refuses all records (\(reason)")
            })
        let (text, _, _) = try Daemon.output(["queue", "--config", vehicle.config])
        #expect(text.contains(" waiting, 0 set aside (the server refuses all records (\(reason)"), "\(text)")
        #expect(daemon.endInTime() == 0)
    }

    @Test("Two targets with the same user and device at one broker do not end each other's connections.")
    func two() throws {
        let broker = try ScriptedBroker(.init())
        let vehicle = try Vehicle(targets: [
            "{name: one, url: \"\(broker.url)\", topic: \"one/{device}\"}",
            "{name: two, url: \"\(broker.url)\", topic: \"two/{device}\"}",
        ])
        let daemon = try vehicle.start()
        for topic in ["one/van1", "two/van1"] {
            #expect(eventually { broker.notes("publish").count { $0.topic == topic } > 5 })
        }
        #expect(daemon.endInTime() == 0)
        #expect(
            Set(broker.notes("connect").compactMap(\.client)) == [
                "trackerd-trackerd-van1-one", "trackerd-trackerd-van1-two",
            ])
        #expect(broker.notes("connect").count == 2)
    }

    @Test("Two targets with one client id at one broker are an error of the configuration.")
    func sameID() throws {
        let vehicle = try Vehicle(targets: [
            "{name: one, url: \"mqtt://127.0.0.1\", clientId: van}",
            "{name: two, url: \"mqtt://127.0.0.1\", clientId: van}",
        ])
        let (text, errors, status) = try Daemon.output(["config", "check", vehicle.config])
        #expect(status != 0)
        #expect((text + errors).contains("the targets `one` and `two` use the same client id `van` at the same broker"))
    }

    @Test("A broker that speaks only MQTT 3.1.1 gets the records, and the log states the consequence.")
    func former() throws {
        let broker = try ScriptedBroker(.with { $0.mqtt5 = "refuse" })
        let vehicle = try Vehicle(targets: ["{name: home, url: \"\(broker.url)\"}"])
        let daemon = try vehicle.start()
        #expect(eventually { broker.notes("publish").count > 5 })
        #expect(eventually { daemon.logged.contains("home: the broker speaks only MQTT 3.1.1") })
        #expect(daemon.endInTime() == 0)
    }
}
