import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite("Remote control", .enabled(if: Broker.program != nil, "not installed: mosquitto"))
struct RemoteControlTests {
    private let broker: Broker
    private let topic = "owntracks/fleet/van1/cmd"

    init() throws {
        broker = try Broker()
        try broker.start()
    }

    private func vehicle(_ control: String, more: String = "") throws -> Vehicle {
        try Vehicle(targets: ["{name: home, url: \"\(broker.url)\", user: fleet, control: [\(control)]\(more)}"])
    }

    /// Returns an order that expires `seconds` after the newest record, because the program uses the clock of the recorded drive.
    private func order(_ request: String, id: String, to vehicle: Vehicle, in seconds: Int64 = 86_400) -> String {
        // The recorded drive begins at 2026-01-01T00:00:00Z.
        let expires = (vehicle.stored.last?.record.time.seconds ?? 1_767_225_600) + seconds
        return #"{"request":\#(request),"id":"\#(id)","expires":\#(expires)}"#
    }

    private func reports(_ vehicle: Vehicle) -> [OrderReport] {
        vehicle.stored.compactMap { if case .order(let report) = $0.record.content { report } else { nil } }
    }

    private func mode(_ vehicle: Vehicle) throws -> String {
        try Daemon.output(["config", "show", "--config", vehicle.config]).text
            .split(separator: "\n").first { $0.contains("monitoring") }.map(String.init) ?? ""
    }

    @Test("The daemon carries out an order over MQTT once, and answers the order with a record.")
    func order() throws {
        let vehicle = try vehicle("mode, tag")
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        let text = order(#""mode","mode":"significant""#, id: "m1", to: vehicle)
        try broker.publish(text, to: topic)
        #expect(eventually { reports(vehicle).count == 1 }, "\(vehicle.logged)")
        #expect(try mode(vehicle).contains("significant"))
        #expect(reports(vehicle).first?.isAccepted == true && reports(vehicle).first?.id == "m1")
        #expect(eventually { broker.bodies.contains { $0.contains(#""order""#) && $0.contains("m1") } })
        // A sender may repeat an order until the answer arrives.
        try broker.publish(text, to: topic)
        try broker.publish(order(#""tag","tag":"next""#, id: "t1", to: vehicle), to: topic)
        #expect(eventually { reports(vehicle).count == 2 })
        #expect(reports(vehicle).map(\.id) == ["m1", "t1"])
        #expect(daemon.endInTime() == 0)
    }

    @Test("The effect of an order survives SIGKILL, and a restart does not repeat it.")
    func killed() throws {
        let vehicle = try vehicle("tag, mode")
        var daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        try broker.publish(order(#""mode","mode":"significant""#, id: "m1", to: vehicle), to: topic)
        #expect(eventually { reports(vehicle).count == 1 })
        daemon.signal(SIGKILL)
        _ = daemon.wait()
        daemon = try vehicle.start(speed: 4)
        #expect(eventually { (try? mode(vehicle))?.contains("significant") == true })
        #expect(reports(vehicle).map(\.id) == ["m1"])
        #expect(daemon.endInTime() == 0)
    }

    @Test("Orders that are not permitted, malformed or expired change nothing.")
    func refused() throws {
        let vehicle = try vehicle("locate, tag, mode")
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        try broker.publish(order(#""move""#, id: "a", to: vehicle), to: topic)
        try broker.publish("{nonsense", to: topic)
        try broker.publish(order(#""tag","tag":"retained""#, id: "b", to: vehicle), to: topic, retain: true)
        #expect(eventually { vehicle.logged.contains { $0.contains("refused") } }, "\(vehicle.logged)")
        // The tracker receives these orders, refuses them, and writes a record about each refusal.
        try broker.publish(order(#""tag","tag":"late""#, id: "c", to: vehicle, in: -60), to: topic)
        try broker.publish(order(#""tag","tag":"far""#, id: "d", to: vehicle, in: 8 * 86_400), to: topic)
        try broker.publish(order(#""mode","mode":"quiet""#, id: "e", to: vehicle), to: topic)
        try broker.publish(order(#""tag","colour":"red""#, id: "f", to: vehicle), to: topic)
        // A subscriber that is connected receives a retained message like any other message.
        #expect(eventually { reports(vehicle).count { $0.id != "b" } == 4 }, "\(vehicle.logged)")
        let others = reports(vehicle).filter { $0.id != "b" }
        #expect(others.map(\.id) == ["c", "d", "e", "f"] && others.allSatisfy { !$0.isAccepted })
        #expect(others[0].text.contains("expired"))
        #expect(others[1].text.contains("7 days"))
        #expect(others[2].text.contains("`silence`"))
        #expect(others[3].text.contains("`colour` is not a key of this request"))
        #expect(vehicle.stored.allSatisfy { $0.record.tag != "late" && $0.record.tag != "far" })
        #expect(daemon.endInTime() == 0)
    }

    @Test("Options of a server apply at once, and an order with an unknown option is refused as a whole.")
    func options() throws {
        let vehicle = try vehicle("options")
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        try broker.publish(
            order(#""options","options":{"turnFilter":33,"stopTmeout":9}"#, id: "o1", to: vehicle), to: topic)
        try broker.publish(order(#""options","options":{"turnFilter":34}"#, id: "o2", to: vehicle), to: topic)
        try broker.publish(order(#""options","options":{"maxRecordsToPersist":5}"#, id: "o3", to: vehicle), to: topic)
        try broker.publish(order(#""options","options":{"sync":"none"}"#, id: "o4", to: vehicle), to: topic)
        #expect(eventually { reports(vehicle).count == 4 }, "\(vehicle.logged)")
        #expect(reports(vehicle).map(\.isAccepted) == [false, true, false, false])
        #expect(reports(vehicle)[0].text.contains("Did you mean `stopTimeout`?"))
        let shown = try Daemon.output(["config", "show", "--config", vehicle.config]).text
        #expect(shown.contains("turnFilter: 34"), "\(shown)")
        #expect(daemon.endInTime() == 0)
    }

    @Test("OwnTracks' commands work: waypoints are set as a whole or not at all, and a position is reported.")
    func ownTracks() throws {
        let vehicle = try vehicle("locate, waypoints")
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        let good = #"{"_type":"waypoint","desc":"yard","lat":52.5,"lon":13.4,"rad":100,"tst":1700000000}"#
        let bad = #"{"_type":"waypoint","desc":"bad","lat":152.5,"lon":13.4,"rad":100,"tst":1700000000}"#
        let set = { (list: String) in
            #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[\#(list)]}}"#
        }
        try broker.publish(set("\(good),\(bad)"), to: topic)
        #expect(eventually { reports(vehicle).count == 1 }, "\(vehicle.logged)")
        #expect(reports(vehicle)[0].text.contains("latitude"))
        #expect(try !Daemon.output(["waypoint", "list", "--config", vehicle.config]).text.contains("yard"))
        let many = (0...200).map { good.replacing("yard", with: "yard \($0)") }
        try broker.publish(set(many.joined(separator: ",")), to: topic)
        #expect(eventually { reports(vehicle).count == 2 }, "\(vehicle.logged)")
        #expect(reports(vehicle)[1].text.contains("at most 200 waypoints"))
        #expect(try !Daemon.output(["waypoint", "list", "--config", vehicle.config]).text.contains("yard"))
        try broker.publish(set(good), to: topic)
        #expect(eventually { reports(vehicle).count == 3 })
        #expect(try Daemon.output(["waypoint", "list", "--config", vehicle.config]).text.contains("yard"))
        try broker.publish(#"{"_type":"cmd","action":"reportLocation"}"#, to: topic)
        #expect(eventually { vehicle.stored.contains { $0.record.kind == .request } }, "\(vehicle.logged)")
        // In manual mode, OwnTracks for Android ignores the command.
        #expect(try Daemon.output(["mode", "manual", "--config", vehicle.config]).status == 0)
        let count = reports(vehicle).count
        try broker.publish(#"{"_type":"cmd","action":"reportLocation"}"#, to: topic)
        #expect(eventually { reports(vehicle).count == count + 1 })
        #expect(reports(vehicle).last?.isAccepted == false)
        #expect(daemon.endInTime() == 0)
    }

    @Test("OwnTracks' command `waypoints` is answered on the topics of the list and of the status.")
    func waypoints() throws {
        let vehicle = try vehicle("waypoints")
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        for (name, more) in [("yard", []), ("hidden", ["--no-shared"])] {
            let words = ["waypoint", "set", name, "--at", "52.5,13.4", "--radius", "100"] + more
            #expect(try Daemon.output(words + ["--config", vehicle.config]).status == 0)
        }
        try broker.publish(#"{"_type":"cmd","action":"waypoints"}"#, to: topic)
        let answer = { (name: String) in broker.messages.first { $0.topic == "owntracks/fleet/van1/\(name)" } }
        #expect(eventually { answer("waypoints") != nil && answer("status") != nil }, "\(vehicle.logged)")
        let list = try #require(answer("waypoints")?.payload)
        let object = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any]
        #expect(object?["_type"] as? String == "waypoints")
        let waypoints = object?["waypoints"] as? [[String: Any]] ?? []
        #expect(waypoints.map { $0["desc"] as? String } == ["yard"], "a waypoint that is not shared remains private")
        let yard = try #require(waypoints.first)
        #expect(yard["_type"] as? String == "waypoint" && yard["rad"] as? Int == 100 && yard["lat"] as? Double == 52.5)
        #expect(yard["shared"] == nil)
        #expect(reports(vehicle).map(\.request) == ["waypoints"])
        #expect(daemon.endInTime() == 0)
    }

    @Test("The daemon carries out orders in the answer of a web server; an answer without orders changes nothing.")
    func webServer() throws {
        let server = try WebServer()
        try server.start(denying: false)
        let vehicle = try Vehicle(targets: [
            "{name: web, url: \"\(server.url)\", format: geojson, control: [tag]}",
            "{name: other, url: \"\(server.url)\", format: geojson}",
        ])
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !vehicle.stored.isEmpty })
        try server.answer("body [\(order(#""tag","tag":"tour""#, id: "h1", to: vehicle))]")
        #expect(eventually { vehicle.stored.contains { $0.record.tag == "tour" } }, "\(vehicle.logged)")
        #expect(reports(vehicle).map(\.target) == ["web"], "the server repeats the order in each answer")
        // Every target receives the record about the order.
        #expect(eventually { server.requests.count { $0.body.contains(#""id":"h1""#) } >= 2 })
        #expect(daemon.endInTime() == 0)
    }

    @Test("An OwnTracks server receives over HTTP the answers to the commands in its own answers.")
    func ownTracksOverHTTP() throws {
        let server = try WebServer()
        try server.start(denying: false)
        let vehicle = try Vehicle(targets: ["{name: web, url: \"\(server.url)\", control: [status, waypoints]}"])
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !server.requests.isEmpty })
        let words = ["waypoint", "set", "yard", "--at", "52.5,13.4", "--radius", "100", "--config", vehicle.config]
        #expect(try Daemon.output(words).status == 0)
        for action in ["status", "waypoints"] {
            try server.answer(#"body [{"_type":"cmd","action":"\#(action)"}]"#)
            #expect(eventually { reports(vehicle).contains { $0.request == action } }, "\(vehicle.logged)")
            try server.behave(.good)
            let answered = eventually {
                server.bodies.contains {
                    $0.contains(#""_type":"status""#) && $0.contains(#""request":"\#(action)""#)
                }
            }
            #expect(answered, "\(vehicle.logged)")
        }
        let lists = server.bodies.filter { $0.contains(#""_type":"waypoints""#) }
        #expect(!lists.isEmpty && lists.allSatisfy { $0.contains(#""desc":"yard""#) && $0.contains("/waypoints\"") })
        #expect(daemon.endInTime() == 0)
    }

    @Test(
        "The daemon fetches orders from a file on nginx, and carries out each order once, also after SIGKILL.",
        .enabled(if: Nginx.program != nil && Certificate.openssl != nil, "not installed: nginx or openssl"))
    func polled() throws {
        let keys = try Scratch()
        let certificate = try Certificate(for: "127.0.0.1", in: keys)
        let nginx = try Nginx(certificate, clientAuthority: certificate.file)
        try nginx.serve("[]", as: "van1.json")
        let vehicle = try Vehicle(targets: [
            """
            {name: home, url: "https://127.0.0.1:\(nginx.secure)/pub", caFile: "\(certificate.file)", \
            control: [options, odometer], orders: {url: "https://127.0.0.1:\(nginx.secure)/orders/van1.json"}}
            """
        ])
        let fetched = { nginx.requests.count { $0[1] == "GET" && $0[2] == "/orders/van1.json" && $0[3] == "200" } }
        var daemon = try vehicle.start(speed: 4)
        // The daemon uses the clock of the drive. The function `order` reads the time from the newest record, so the
        // test first waits for a record.
        #expect(eventually { !vehicle.stored.isEmpty && fetched() == 1 })
        let mine = order(#""options","options":{"turnFilter":34}"#, id: "p1", to: vehicle)
        let other = order(#""odometer set","metres":7,"for":{"devices":["van2"]}"#, id: "p2", to: vehicle)
        let late = order(#""odometer set","metres":8"#, id: "p3", to: vehicle, in: -60)
        try nginx.serve(#"{"orders":[\#(mine),\#(other),\#(late)]}"#, as: "van1.json")
        daemon.signal(SIGKILL)
        _ = daemon.wait()
        daemon = try vehicle.start(speed: 4)
        #expect(eventually { reports(vehicle).map(\.id) == ["p1", "p3"] }, "\(vehicle.logged)")
        #expect(reports(vehicle).map(\.isAccepted) == [true, false])
        daemon.signal(SIGKILL)
        _ = daemon.wait()
        daemon = try vehicle.start(speed: 4)
        #expect(eventually { fetched() == 3 }, "\(vehicle.logged)")
        let shown = try Daemon.output(["status", "--config", vehicle.config]).text
        #expect(shown.contains("turnFilter: 34"), "\(shown)")
        #expect(try vehicle.isTracking())
        #expect(reports(vehicle).map(\.id) == ["p1", "p3"])
        #expect(daemon.endInTime() == 0)
    }

    @Test("A server's options remain after the server has received the record about them, until it withdraws them.")
    func confirmed() throws {
        let vehicle = try vehicle("options")
        var daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        try broker.publish(order(#""options","options":{"turnFilter":34}"#, id: "o1", to: vehicle), to: topic)
        let words = "home has received a record, so its options remain"
        #expect(eventually { vehicle.logged.contains { $0.contains(words) } }, "\(vehicle.logged)")
        #expect(reports(vehicle).map(\.isAccepted) == [true])
        func shown() -> String { (try? vehicle.run("config", "show").text) ?? "" }
        daemon.kill()
        daemon = try vehicle.start(speed: 4)
        #expect(eventually { shown().contains("turnFilter: 34 ") && shown().contains("options are in force") })
        try broker.publish(order(#""options","options":{}"#, id: "o2", to: vehicle), to: topic)
        #expect(eventually { reports(vehicle).map(\.isAccepted) == [true, true] }, "\(vehicle.logged)")
        #expect(shown().contains("turnFilter: 0 "), "\(shown())")
        #expect(daemon.endInTime() == 0)
    }

    @Test("The daemon listens without a record, and listens again after the broker has restarted.")
    func reconnected() throws {
        // In the mode `quiet`, the daemon has no records to upload.
        let vehicle = try vehicle("tag")
        let daemon = try vehicle.start(speed: 1, environment: ["TRACKERD_MONITORING": "quiet"])
        // The broker stores no order for a client that is not connected, so the sender repeats the order.
        func isAnswered(_ id: String) -> Bool {
            eventually {
                try? broker.publish(order(#""tag","tag":"t""#, id: id, to: vehicle), to: topic)
                return reports(vehicle).contains { $0.id == id }
            }
        }
        #expect(isAnswered("before"), "\(vehicle.logged)")
        broker.stop()
        #expect(eventually { vehicle.logged.contains { $0.contains("home: ") } }, "\(vehicle.logged)")
        try broker.start()
        #expect(isAnswered("after"), "\(vehicle.logged)")
        #expect(reports(vehicle).map(\.id) == ["before", "after"])
        #expect(reports(vehicle).map(\.isAccepted) == [true, true], "\(reports(vehicle))")
        #expect(daemon.endInTime() == 0)
    }

    @Test("A server's options are withdrawn if that server receives no record for 15 minutes, also across SIGKILL.")
    func rolledBack() throws {
        let server = try WebServer()
        try server.start(denying: false)
        let vehicle = try Vehicle(targets: [
            "{name: home, url: \"\(broker.url)\", user: fleet, control: [options]}",
            "{name: other, url: \"\(server.url)\", format: geojson}",
        ])
        func distance() throws -> String {
            try Daemon.output(["config", "show", "--config", vehicle.config]).text.split(separator: "\n")
                .first { $0.hasPrefix("distanceFilter") }.map(String.init) ?? ""
        }
        var daemon = try vehicle.start(speed: 1)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        let former = try distance()
        // The vehicle receives the order, but the broker acknowledges none of the vehicle's messages.
        try broker.behave(.mute)
        try broker.publish(
            order(#""options","options":{"distanceFilter":11}"#, id: "o1", to: vehicle), to: topic)
        #expect(eventually { reports(vehicle).count == 1 }, "\(vehicle.logged)")
        #expect(try distance().contains("11"))
        daemon.signal(SIGKILL)
        _ = daemon.wait()
        broker.stop()
        // The trial of the options lasts 15 minutes of the drive's time. It begins anew when the program starts.
        daemon = try vehicle.start(speed: 60)
        #expect(eventually { (try? distance()) == former }, "\(vehicle.logged)")
        #expect(server.bodies.joined().contains(#""origin":"remote""#))
        #expect(daemon.endInTime() == 0)
    }

    @Test("Messages that are too long for an order do not end the connection, and an order after them is carried out.")
    func oversized() throws {
        let vehicle = try vehicle("tag")
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        let long = String(repeating: "x", count: 300_000)
        for _ in 0..<8 { try broker.publish(long, to: topic) }
        try broker.publish(String(repeating: "x", count: 1_000_000), to: topic)
        try broker.publish(order(#""tag","tag":"after""#, id: "t1", to: vehicle), to: topic)
        #expect(eventually { reports(vehicle).map(\.id) == ["t1"] }, "\(vehicle.logged)")
        let lines = vehicle.logged.filter { $0.contains("is longer than 256 KiB") }
        #expect(lines.count == 1, "\(lines)")
        #expect(!vehicle.logged.contains { $0.contains("connection for orders") })
        #expect(daemon.endInTime() == 0)
    }

    @Test(
        "A message that trackerd must not load ends the connection; the log states the reason, and orders arrive again."
    )
    func huge() throws {
        let vehicle = try vehicle("tag")
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        let long = String(repeating: "x", count: 3_000_000)
        let reason =
            "the connection for orders was lost (the connection to 127.0.0.1 broke (it sends more than 2048 KiB"
        // trackerd receives nothing that is published before it has subscribed.
        #expect(eventually { broker.count(.subscriptionAcknowledged) > 0 })
        try broker.publish(long, to: topic)
        #expect(eventually { vehicle.logged.contains { $0.contains(reason) } }, "\(vehicle.logged)")
        #expect(
            eventually {
                try? broker.publish(order(#""tag","tag":"t""#, id: "t1", to: vehicle), to: topic)
                return reports(vehicle).map(\.id) == ["t1"]
            })
        #expect(vehicle.logged.count { $0.contains(reason) } == 1)
        #expect(daemon.peakMemory_MiB < 150)
        #expect(daemon.endInTime() == 0)
    }

    @Test("A flood of orders, waypoints and random bytes loses no fix, and the state remains bounded.")
    func flood() throws {
        let vehicle = try vehicle("tag, waypoints")
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(vehicle.logged)")
        for message in 0..<5 {
            let orders = (0..<64).map { order(#""tag","tag":"x\#($0)""#, id: "\(message)-\($0)", to: vehicle) }
            try broker.publish("[\(orders.joined(separator: ","))]", to: topic)
        }
        let waypoint = { (number: Int) in #"{"_type":"waypoint","desc":"w\#(number)","lat":52,"lon":13,"rad":5000}"# }
        let waypoints = (0..<600).map(waypoint).joined(separator: ",")
        try broker.publish(#"{"_type":"cmd","action":"setWaypoints","waypoints":[\#(waypoints)]}"#, to: topic)
        for _ in 0..<5 {
            let noise = (0..<1000).map { _ in String(UnicodeScalar(UInt8.random(in: 32...126))) }.joined()
            try broker.publish(noise, to: topic)
        }
        #expect(eventually { vehicle.logged.contains { $0.contains("refused") && $0.contains("orders") } })
        // The daemon accepts 20 orders at once, and then one order per second.
        let count = reports(vehicle).count
        #expect(count >= 20 && count < 100, "\(count)")
        #expect(try vehicle.isTracking())
        #expect(daemon.peakMemory_MiB < 150)
        let list = try Daemon.output(["waypoint", "list", "--config", vehicle.config]).text
        #expect(list.split(separator: "\n").count < 10, "\(list)")
        #expect(daemon.endInTime() == 0)
    }
}
