import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking
import Upload

@Suite("A drive in every format", .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
struct FormatDriveTests {
    private static func targets(_ port: UInt16, _ broker: String) -> [(name: String, lines: String)] {
        let web = "http://127.0.0.1:\(port)"
        let key = "owntracks: {encryptionKey: correct-horse, status: true}"
        let body = #"{"id": {uuid}, "what": {kind}, "at": {time}, "kmh": {speed_kmh}, "place": [{lat}, {lon}]}"#
        return [
            ("complete", #"url: "\#(web)/complete", format: geojson"#),
            ("sealed", #"url: "\#(web)/sealed", \#(key)"#),
            ("broker", #"url: "\#(broker)", \#(key)"#),
            ("form", #"url: "\#(web)/form", format: traccar"#),
            ("query", #"url: "\#(web)/query", format: traccar, traccar: {form: query}"#),
            ("json", #"url: "\#(web)/json", format: traccar, traccar: {form: json}"#),
            ("overland", #"url: "\#(web)/overland", format: overland"#),
            ("transistor", #"url: "\#(web)/transistor", format: transistor"#),
            ("get", #"url: "\#(web)/get/{device}?uuid={uuid}&lat={lat}&lon={lon}&kmh={speed_kmh}", format: template"#),
            ("post", #"url: "\#(web)/post", format: template, template: {body: '\#(body)'}"#),
        ]
    }

    @Test(
        "A drive arrives completely in the units of each format; records that a format cannot express do not wait."
    )
    func drive() throws {
        let scratch = try Scratch()
        let server = try WebServer()
        let broker = try Broker()
        try server.start()
        try broker.start()
        let targets = Self.targets(server.port, broker.url)
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets:
            \(targets.map { "  - {name: \($0.name), \($0.lines)}" }.joined(separator: "\n"))
            regions: [{name: Depot, latitude: 41.6625, longitude: -91.5379, radius: 150}]
            tracking: {desiredSyncInterval: 0, distanceFilter: 50}
            """, to: "config.yaml")
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed",
                "100", "--config", scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        let queue = { (try? Daemon.output(["queue", "--config", scratch.path + "/config.yaml"]).text) ?? "" }
        let isEmpty = {
            let targets = queue().split(separator: "\n").filter { $0.contains(" waiting, ") }
            return !targets.isEmpty && targets.allSatisfy { $0.hasSuffix(": 0 waiting, 0 set aside") }
        }
        #expect(eventually { isEmpty() }, "\(queue()) \(daemon.logged)")
        #expect(daemon.end() == 0)

        let stored = try DeliveryTable(path: scratch.path + "/t.sqlite")
            .oldest(awaiting: "nobody", limit: 10_000, excluding: [])
        // Some targets receive the shutdown record before the program ends, others only after the next start.
        let last = Set(stored.filter { $0.record.content == .power(.shutdown) }.map(\.uuid))
        let arrived = Arrivals(server.requests, broker.bodies)
        for (target, points) in arrived.points {
            let expected = stored.filter { Self.isExpected($0.record, at: target) }
            #expect(
                Set(points.map(\.uuid)).subtracting(last) == Set(expected.map(\.uuid)).subtracting(last), "\(target)")
            #expect(expected.count > 10)
            // The shutdown record and a record about the tracker's health may be a status, which has no position.
            for point in points where !last.contains(point.uuid) {
                let record = stored.first { $0.uuid == point.uuid }?.record
                guard let record, record.kind != .health else { continue }
                expect(point, like: record, "\(target)")
            }
        }
        #expect(Set(arrived.points.keys) == Set(targets.map(\.name)))
    }

    private func expect(_ point: Arrivals.Point, like record: Record, _ target: Comment) {
        #expect(abs((point.lat ?? 0) - (record.position?.coordinate.latitude ?? 0)) < 1e-6, target)
        #expect(abs((point.lon ?? 0) - (record.position?.coordinate.longitude ?? 0)) < 1e-6, target)
        // A transition of OwnTracks has no speed.
        guard record.kind != .transition || point.speed_mps != nil else { return }
        let speed = record.position?.speed?.value
        // OwnTracks rounds speeds to 1 km/h, which is 0.28 m/s.
        #expect(abs((point.speed_mps ?? 0) - (speed ?? 0)) < 0.15, target)
    }

    private static func isExpected(_ record: Record, at target: String) -> Bool {
        let isInOwnTracks = [.location, .motionchange, .visit, .request, .ping].contains(record.kind)
        let isTrack = isInOwnTracks || record.kind == .trip
        switch target {
        case "form", "query", "json":
            return ![.waypoint, .providerchange, .health, .optionschange, .order].contains(record.kind)
        case "overland", "get": return isTrack && record.position != nil
        case "transistor":
            let kinds: [Record.Kind] = [.location, .motionchange, .transition, .request, .ping, .providerchange]
            return kinds.contains(record.kind) && record.position != nil
        case "post": return record.position != nil
        case "broker":
            let isCondition = [.power, .providerchange, .health, .optionschange, .order].contains(record.kind)
            return isCondition || (isInOwnTracks || record.kind == .transition) && record.position != nil
        case "sealed":
            return (isInOwnTracks || [.transition, .power].contains(record.kind)) && record.position != nil
        default: return true
        }
    }
}

/// What the servers received, decoded from the format of each target.
private struct Arrivals {
    struct Point {
        let uuid: String
        var lat: Double?
        var lon: Double?
        var speed_mps: Double?
    }

    private(set) var points: [String: [Point]] = [:]

    init(_ requests: [WebServer.Request], _ published: [String]) {
        for request in requests {
            let url = URLComponents(string: request.path)
            let target = url?.path.split(separator: "/").first.map(String.init) ?? ""
            points[target, default: []] += Self.points(target, request, url)
        }
        points["broker"] = published.compactMap { Self.sealed($0) }
    }

    private static func points(_ target: String, _ request: WebServer.Request, _ url: URLComponents?) -> [Point] {
        let object = Self.object(request.body)
        switch target {
        case "complete": return features(object["features"], "speed_mps")
        case "overland": return features(object["locations"], "speed")
        case "sealed": return [sealed(request.body)].compactMap { $0 }
        case "form":
            var form = URLComponents()
            form.percentEncodedQuery = request.body
            return [parameters(form, knots: "speed")].compactMap { $0 }
        case "query": return [parameters(url, knots: "speed")].compactMap { $0 }
        case "get": return [parameters(url, kmh: "kmh")].compactMap { $0 }
        case "json":
            let location = object["location"] as? [String: Any] ?? [:]
            let uuid = (location["extras"] as? [String: Any])?["uuid"] as? String
            return [point(uuid, location["coords"])].compactMap { $0 }
        case "transistor":
            let locations = object["location"] as? [[String: Any]] ?? []
            return locations.compactMap { point($0["uuid"] as? String, $0["coords"]) }
        case "post":
            let place = object["place"] as? [Double] ?? []
            let speed = (object["kmh"] as? Double).map { $0 / 3.6 }
            return [Point(uuid: object["id"] as? String ?? "", lat: place.first, lon: place.last, speed_mps: speed)]
        default: return []
        }
    }

    private static func features(_ list: Any?, _ speed: String) -> [Point] {
        (list as? [[String: Any]] ?? []).map { feature in
            let place = (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double] ?? []
            let properties = feature["properties"] as? [String: Any] ?? [:]
            return Point(
                uuid: properties["uuid"] as? String ?? "", lat: place.count > 1 ? place[1] : nil, lon: place.first,
                speed_mps: (properties[speed] as? Double).map { max(0, $0) })
        }
    }

    private static func sealed(_ body: String) -> Point? {
        guard let text = OwnTracksKey("correct-horse")?.open(Array(body.utf8)) else { return nil }
        let message = object(String(decoding: text, as: UTF8.self))
        guard let uuid = message["_id"] as? String else { return nil }
        let speed = message["_type"] as? String == "location" ? (message["vel"] as? Double).map { $0 / 3.6 } : nil
        return Point(uuid: uuid, lat: message["lat"] as? Double, lon: message["lon"] as? Double, speed_mps: speed)
    }

    private static func parameters(_ url: URLComponents?, knots: String? = nil, kmh: String? = nil) -> Point? {
        func value(_ name: String?) -> String? { url?.queryItems?.first { $0.name == name }?.value }
        guard let uuid = value("uuid") else { return nil }
        let speed =
            value(knots).flatMap(Double.init).map { $0 * 0.514444 } ?? value(kmh).flatMap(Double.init).map { $0 / 3.6 }
        return Point(
            uuid: uuid, lat: value("lat").flatMap(Double.init), lon: value("lon").flatMap(Double.init), speed_mps: speed
        )
    }

    private static func point(_ uuid: String?, _ coordinates: Any?) -> Point? {
        guard let uuid else { return nil }
        let values =
            coordinates as? [String: Double] ?? (coordinates as? [String: Any])?.compactMapValues { $0 as? Double }
        return Point(
            uuid: uuid, lat: values?["latitude"], lon: values?["longitude"],
            speed_mps: values?["speed"].map { max(0, $0) })
    }

    private static func object(_ text: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }
}
