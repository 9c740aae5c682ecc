import Foundation
import Glibc
import Peers
import Testing
import Tracking

@Suite("Faults of servers and networks", .enabled(if: FaultProxy.missing == nil, "\(FaultProxy.missing ?? "")"))
struct FaultProxyTests {
    /// The faults of the proxy, each with the text that the log must contain.
    private static let faults: [(name: String, manner: String, words: String)] = [
        ("refused", "refuse", "127.0.0.1 is unreachable, or no server listens there"),
        ("reset", "reset 100", "the connection to 127.0.0.1 broke"),
        ("cut", "cut 20", "the connection to 127.0.0.1 broke"),
        ("garbage", "garbage", "the connection to 127.0.0.1 broke"),
        ("maintenance", "status 400 down", "the server refuses all records (status 400: down)"),
        ("large", "status 413", "the request is larger than the server or its proxy allows"),
        (
            "missing", "status 404",
            "the server refuses all records (status 404; check the path of `url`, such as `/pub`"
        ),
        ("busy", "busy 1", "the server is too busy (status 429)"),
        ("broken", "status 500", "the server answers with status 500"),
        ("denied", #"body {"error":"unknown device"}"#, "the server refuses all records (status 200: unknown device)"),
        ("portal", "portal", "the answer is a web page, perhaps the log-in page of a network"),
        ("moved", "moved https://new.example.net/pub", "redirects to https://new.example.net/pub (status 308)"),
    ]

    @Test("Each fault is named in the log, loses no record, sets none aside, and is over when the server works again.")
    func faults() throws {
        let servers = try Self.faults.map { _ in try WebServer() }
        for server in servers { try server.start(denying: false) }
        let proxies = try zip(servers, Self.faults).map { try FaultProxy(before: $0.port, manner: $1.manner) }
        let vehicle = try Vehicle(
            targets: zip(proxies, Self.faults).map {
                "{name: \($1.name), url: \"http://127.0.0.1:\($0.port)/pub\", format: geojson}"
            })
        let daemon = try vehicle.start(speed: 60)
        for fault in Self.faults {
            #expect(
                eventually {
                    vehicle.logged.contains { $0.contains(" \(fault.name): ") && $0.contains(fault.words) }
                }, "\(fault.name)")
        }
        for proxy in proxies { try proxy.behave("good") }
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        let all = vehicle.stored.map(\.uuid)
        for (server, fault) in zip(servers, Self.faults) {
            #expect(eventually { Self.has(server, all) }, "\(fault.name)")
        }
        #expect(!daemon.logged.contains("set aside"))
        #expect(daemon.endInTime() == 0)
    }

    @Test("The proxy listens again although a connection from before has remained open.")
    func open() throws {
        let server = try WebServer()
        try server.start(denying: false)
        // The proxy waits for a TLS message, which the client below never sends, so its connection remains open.
        let scratch = try Scratch()
        let certificate = try Certificate(for: "127.0.0.1", in: scratch)
        let proxy = try FaultProxy(before: server.port, certificate: certificate)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        #expect(connect(descriptor, to: proxy.port))
        try proxy.behave("refuse")
        #expect(eventually { !isListening(proxy.port) })
        try proxy.behave("good")
        #expect(eventually { isListening(proxy.port) })
    }

    @Test("The log distinguishes wrong from expired certificates, and servers with such certificates receive nothing.")
    func certificates() throws {
        let scratch = try Scratch()
        let certificate = try Certificate(for: "127.0.0.1", in: scratch)
        let server = try WebServer()
        try server.start(denying: false)
        let manners = [("wrong", "no alternative certificate subject name"), ("expired", "certificate has expired")]
        let proxies = try manners.map {
            try FaultProxy(before: server.port, manner: $0.0, certificate: certificate)
        }
        let vehicle = try Vehicle(
            targets: zip(proxies, manners).map {
                "{name: \($1.0), url: \"https://127.0.0.1:\($0.port)/pub\", caFile: \"\(certificate.file)\"}"
            })
        let daemon = try vehicle.start()
        for (name, words) in manners {
            #expect(
                eventually { vehicle.logged.contains { $0.contains(" \(name): ") && $0.contains(words) } }, "\(name)")
        }
        #expect(server.bodies.isEmpty)
        #expect(daemon.endInTime() == 0)
    }

    @Test("A link that breaks again and again causes a few log lines, and every record arrives.")
    func flaky() throws {
        let server = try WebServer()
        try server.start(denying: false)
        let proxy = try FaultProxy(before: server.port)
        let vehicle = try Vehicle(targets: ["{name: home, url: \"http://127.0.0.1:\(proxy.port)/pub\"}"])
        let daemon = try vehicle.start(speed: 4)
        #expect(eventually { (try? Daemon.output(["status", "--config", vehicle.config]).status) == 0 })
        for count in 1...8 {
            try proxy.behave("status 500")
            let (seen, failed) = (server.bodies.count, proxy.answers)
            let waypoint = ["waypoint", "set", "Place \(count)", "--at", "52.6,13.6", "--radius", "50"]
            let answer = try Daemon.output(waypoint + ["--config", vehicle.config])
            #expect(answer.status == 0, "\(answer)")
            #expect(eventually { proxy.answers > failed })
            try proxy.behave("good")
            #expect(eventually { server.bodies.count > seen })
        }
        let lines = vehicle.logged.count { $0.contains(" home: uploads ") }
        #expect((1...5).contains(lines), "\(lines) lines")
        #expect(daemon.endInTime() == 0)
    }

    private static func has(_ server: WebServer, _ uuids: [String]) -> Bool {
        let text = server.bodies.joined()
        return uuids.allSatisfy { text.contains($0) }
    }
}
