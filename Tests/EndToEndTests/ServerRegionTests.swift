import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite(
    "Regions of a server",
    .enabled(
        if: WebServer.python != nil && Nginx.program != nil && Certificate.openssl != nil && Broker.program != nil,
        "not installed: python3, nginx, openssl or mosquitto"))
struct ServerRegionTests {
    private let scratch: Scratch
    private let web: WebServer

    init() throws {
        scratch = try Scratch()
        web = try WebServer()
        // The drive begins at 52.52, 13.405, and leads 12 km to the east.
        try scratch.write(ModeDriveTests.drive, to: "drive.csv")
    }

    /// Returns a region this many metres to the east of the start of the drive.
    private func region(_ name: String, east: Double, radius: Double = 200) -> String {
        #"{"name":"\#(name)","latitude":52.52,"longitude":\#(13.405 + east / 67_760),"radius":\#(radius)}"#
    }

    private func configure(_ target: String, tracking: String = "syncGeofences: true", more: String = "") throws {
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite", commitInterval: 0}
            control: {socket: "\(scratch.path)/control.sock"}
            targets:
              - {name: home, control: [regions], \(target)}
            tracking: {desiredSyncInterval: 0, stopTimeout: 60, \(tracking)}
            \(more)
            """, to: "config.yaml")
    }

    private func start(speed: Int) throws -> Daemon {
        try Daemon(
            [
                "run", "--board", "sim", "--drive", scratch.path + "/drive.csv", "--speed", "\(speed)", "--config",
                scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
    }

    private func run(_ words: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(words + ["--config", scratch.path + "/config.yaml"])
    }

    private func regions() -> String { (try? run("region", "list").text) ?? "" }

    private var records: [Tracking.Record] {
        let table = try? DeliveryTable(path: scratch.path + "/t.sqlite")
        return ((try? table?.oldest(awaiting: "nobody", limit: 100_000, excluding: [])) ?? []).map(\.record)
    }

    private var transitions: [String] {
        records.compactMap { record in
            guard case .transition(let transition) = record.content else { return nil }
            return "\(transition.direction) \(transition.region.name)"
        }
    }

    private var reports: [OrderReport] {
        records.compactMap { if case .order(let report) = $0.content { report } else { nil } }
    }

    @Test("With `syncGeofencesLimit: 1`, the vehicle enters and leaves two regions that a web server lists.")
    func driven() throws {
        try web.start()
        let list = [region("Far", east: 60_000), region("First", east: 4000), region("Second", east: 9000)]
        try web.answer("body [\(list.joined(separator: ","))]")
        try configure(
            """
            url: "\(web.url)", format: geojson, \
            regions: {url: "http://127.0.0.1:\(web.port)/regions?at={latitude},{longitude}&n={limit}"}
            """, tracking: "syncGeofences: true, syncGeofencesLimit: 1")
        let daemon = try start(speed: 30)
        #expect(
            eventually { regions().contains("First  circle") && regions().contains("from home") }, "\(daemon.logged)")
        #expect(!regions().contains("Second") && !regions().contains("Far"), "\(regions())")
        #expect(eventually { daemon.logged.contains("Arrived: ") }, "\(daemon.logged)")
        #expect(transitions == ["enter First", "leave First", "enter Second", "leave Second"])
        #expect(regions().contains("Second") && !regions().contains("First"), "\(regions())")
        // The server receives the place of the departure, and later places of the vehicle.
        let places = web.requests.map(\.path).filter { $0.hasPrefix("/regions") }
        #expect(places.first == "/regions?at=52.5200,13.4050&n=1", "\(places)")
        #expect(Set(places).count >= 2 && places.allSatisfy { $0.hasSuffix("&n=1") }, "\(places)")
        // The list is the same at all these places, so it counts as one order.
        #expect(reports.map(\.text) == ["The tracker stores 3 regions."])
        // The server receives the transitions like those of configured regions.
        #expect(eventually { web.bodies.contains { $0.contains("Second") && $0.contains("leave") } })
        #expect(daemon.endInTime() == 0)
    }

    @Test(
        "An unchanged list costs status 304, an invalid list changes nothing, and regions survive SIGKILL without a server."
    )
    func unchanged() throws {
        let certificate = try Certificate(for: "127.0.0.1", in: scratch)
        let nginx = try Nginx(certificate, clientAuthority: certificate.file)
        try nginx.serve(#"{"regions":[\#(region("First", east: 4000))]}"#, as: "regions.json")
        try configure(
            """
            url: "https://127.0.0.1:\(nginx.secure)/pub", format: geojson, caFile: "\(certificate.file)", \
            regions: {url: "https://127.0.0.1:\(nginx.secure)/orders/regions.json"}
            """)
        func statuses() -> [Substring] { nginx.requests.filter { $0[2] == "/orders/regions.json" }.map { $0[3] } }
        var daemon = try start(speed: 20)
        #expect(eventually { regions().contains("First") }, "\(daemon.logged)")
        // The command makes the daemon fetch the regions at once.
        #expect(try run("queue", "retry").status == 0)
        #expect(eventually { statuses() == ["200", "304"] }, "\(statuses())")
        #expect(reports.map(\.text) == ["The tracker stores 1 region."])
        let bad = [region("Second", east: 9000), region("Bad", east: 9000, radius: -5)]
        try nginx.serve("[\(bad.joined(separator: ","))]", as: "regions.json")
        #expect(try run("queue", "retry").status == 0)
        #expect(eventually { reports.count == 2 }, "\(daemon.logged)")
        #expect(reports.last?.isAccepted == false)
        #expect(
            daemon.logged.contains("regions: region 2 (`Bad`): `radius` must be a number of metres from 1 to 5000000."))
        #expect(regions().contains("First") && !regions().contains("Second"), "\(regions())")
        daemon.signal(SIGKILL)
        _ = daemon.wait()
        nginx.stop()
        daemon = try start(speed: 20)
        #expect(eventually { regions().contains("First  circle") }, "\(daemon.logged)")
        #expect(eventually { daemon.logged.contains("home: the regions cannot be fetched: ") }, "\(daemon.logged)")
        #expect(eventually { transitions.suffix(2) == ["enter First", "leave First"] }, "\(transitions)")
        #expect(daemon.endInTime() == 0)
    }

    @Test("A broker replaces the regions with an order, and the option decides at run time whether they are watched.")
    func ordered() throws {
        let broker = try Broker()
        try broker.start()
        try configure(
            "url: \"\(broker.url)\", user: fleet",
            more: #"regions: [{name: Own, latitude: 1, longitude: 2, radius: 50}]"#)
        let daemon = try start(speed: 4)
        #expect(eventually { !broker.messages.isEmpty }, "\(daemon.logged)")
        func send(_ list: [String], id: String) throws {
            let expires = (records.last?.time.seconds ?? 1_767_225_600) + 86_400
            try broker.publish(
                #"{"request":"regions","regions":[\#(list.joined(separator: ","))],"id":"\#(id)","expires":\#(expires)}"#,
                to: "owntracks/fleet/van1/cmd")
        }
        try send([region("First", east: 4000), region("Own", east: 4000)], id: "r1")
        #expect(eventually { reports.count == 1 }, "\(daemon.logged)")
        #expect(
            reports.first?.text
                == "The tracker stores 2 regions. It does not watch 1 of them, because another region or waypoint has the same key or name."
        )
        let list = regions().split(separator: "\n").map(String.init)
        #expect(list.count == 2 && list.contains { $0.hasPrefix("Own  circle  1.0, 2.0") }, "\(list)")
        try send([region("Second", east: 9000)], id: "r2")
        #expect(eventually { regions().contains("Second") && !regions().contains("First") }, "\(daemon.logged)")
        try scratch.write(#"{"syncGeofences": false}"#, to: "off.json")
        #expect(try run("tracking", "start", "--options", scratch.path + "/off.json").status == 0)
        #expect(!regions().contains("Second") && regions().contains("Own"), "\(regions())")
        #expect(try run("tracking", "reset").status == 0)
        #expect(regions().contains("Second"), "\(regions())")
        // A target that may send regions may not send orders without `control`.
        try broker.publish(
            #"{"request":"tag","tag":"x","id":"t1","expires":4000000000}"#, to: "owntracks/fleet/van1/cmd")
        #expect(eventually { daemon.logged.contains("`tag` needs `control: [tag]` in the target") }, "\(daemon.logged)")
        #expect(daemon.endInTime() == 0)
    }

    @Test("`config check` reports that regions of a server have no effect while `syncGeofences` is off.")
    func note() throws {
        try configure(
            "url: \"https://fleet.example.net/pub\", regions: {url: \"https://fleet.example.net/r\"}", tracking: "")
        let checked = try Daemon.output(["config", "check", scratch.path + "/config.yaml"])
        #expect(checked.status == 0)
        #expect((checked.text + checked.errors).contains("the target `home` has `regions`, but `syncGeofences` is off"))
    }
}
