import Foundation
import Glibc
import Peers
import Quantities
import Testing
import Tracking

@Suite("The page for the browser")
struct PageTests {
    private let vehicle: Vehicle

    init() throws { vehicle = try Vehicle(tracking: Vehicle.earlyArrival) }

    private var folder: String { vehicle.scratch.path }

    private func startDaemon() throws -> Daemon {
        let daemon = try vehicle.start()
        #expect(eventually { isListening(at: folder + "/read.sock") })
        return daemon
    }

    private func password(_ text: String = "correct horse") throws -> [String] {
        let made = try PageBench.output(["set-password", folder + "/password"], input: text + "\n")
        #expect(made.status == 0, "\(made.errors)")
        return ["--password-file", folder + "/password"]
    }

    @Test("The page shows the status, the trip, the track and the decisions of the running daemon.")
    func contents() throws {
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        let page = try PageBench(folder)
        #expect(try page.get("/").contains("<title>trackerd</title>"))
        #expect(try page.get("/page.js").contains("Content-Type: text/javascript"))
        #expect(try page.get("/api/status").contains(#""state":"stationary""#))
        #expect(try page.get("/api/status").contains(#""device":"van1""#))
        #expect(try !page.get("/api/session").contains("host"))
        #expect(try page.get("/api/queue").contains(#""targets":"#))
        #expect(try page.get("/api/trips").contains(#""trip":1"#))
        let span = "from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z"
        let track = try page.get("/api/track?\(span)&most=1000")
        #expect(track.contains(#""kind":"location""#) && track.contains(#""receiver":[{"on":true"#))
        #expect(try page.get("/api/why?time=2026-01-01T00:01:00Z").contains(#""subject":"start""#))
        #expect(daemon.end() == 0)
        #expect(try page.get("/api/status").hasPrefix("HTTP/1.1 503"))
    }

    @Test("The page shows the findings and remedies of the doctor, which runs with the rights of the daemon.")
    func doctor() throws {
        let vehicle = try Vehicle(targets: ["{name: home, url: \"http://127.0.0.1:\(freePort())/\", format: geojson}"])
        let folder = vehicle.scratch.path
        let daemon = try vehicle.start()
        #expect(eventually { isListening(at: folder + "/read.sock") })
        let page = try PageBench(folder)
        let answer = try page.get("/api/doctor")
        #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains(#""ok":true"#), "\(answer)")
        #expect(
            answer.contains(#"{"check":"database","grade":"ok","text":"\#(vehicle.database) is writable"#), "\(answer)")
        #expect(answer.contains(#""check":"targets","grade":"warning","remedy":"Check the network"#), "\(answer)")
        #expect(answer.contains(#""verdict":"The vehicle can be tracked."#))
        #expect(daemon.end() == 0)
        let protected = try PageBench(folder, try password())
        #expect(try protected.get("/api/doctor").hasPrefix("HTTP/1.1 401"))
    }

    @Test("The top speed of a day on the page is that of the report, from all fixes of the trip.")
    func topSpeed() throws {
        let rules = "{desiredSyncInterval: 0, distanceFilter: 200, turnFilter: 0, stopTimeout: 60}"
        let vehicle = try Vehicle(tracking: rules, more: ["timeZone: UTC"])
        let daemon = try vehicle.start(speed: 40)
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        let day = try #require(vehicle.stored.first?.record.time.description.prefix(10))
        let page = try PageBench(vehicle.scratch.path)
        let track = try page.get("/api/track?from=\(day)T00:00:00Z&to=\(day)T23:59:59Z")
        #expect(daemon.end() == 0)
        let top = track.components(separatedBy: #""top_speed_mps":"#).last?.prefix { $0.isNumber || $0 == "." }
        let speed = try #require(top.flatMap { Double($0) }) * 3.6
        let report = try vehicle.run("report", "--day", String(day)).text
        #expect(report.contains("<dt>Top speed</dt><dd>\(Int(speed.rounded())) km/h</dd>"), "\(speed)")
        #expect(vehicle.everything.compactMap { $0.record.position?.speed?.value }.allSatisfy { $0 * 3.6 <= speed })
    }

    @Test("The headers of every answer forbid embedding, storing and guessing the type of the content.")
    func headers() throws {
        let page = try PageBench(folder)
        for path in ["/", "/page.css", "/api/session", "/api/status", "/nothing"] {
            let answer = try page.get(path)
            #expect(answer.contains("Content-Security-Policy: default-src 'none'; script-src 'self';"), "\(path)")
            #expect(answer.contains("X-Content-Type-Options: nosniff") && answer.contains("Cache-Control: no-store"))
            #expect(answer.contains("frame-ancestors 'none'") && answer.contains("Referrer-Policy: no-referrer"))
            #expect(!answer.contains("Access-Control-Allow") && !answer.contains("Server:"))
        }
        let text = try page.get("/")
        #expect(!text.contains(" style=") && !text.contains(" onclick") && !text.contains("http://"))
    }

    @Test("The page refuses requests with a foreign host name, from a foreign site, or with an unknown method.")
    func foreign() throws {
        let page = try PageBench(folder)
        #expect(try page.get("/api/session", host: "evil.example").hasPrefix("HTTP/1.1 421"))
        #expect(try page.get("/", host: "evil.example").hasPrefix("HTTP/1.1 421"))
        #expect(try page.get("/api/status", ["Sec-Fetch-Site: cross-site"]).hasPrefix("HTTP/1.1 403"))
        #expect(try page.get("/api/events", ["Origin: http://evil.example"]).hasPrefix("HTTP/1.1 403"))
        #expect(try page.post("/api/action", "{}", ["Origin: http://evil.example"]).hasPrefix("HTTP/1.1 403"))
        #expect(try page.post("/api/action", "{}", []).hasPrefix("HTTP/1.1 403"))
        let delete = try page.connect().ask("DELETE / HTTP/1.1", ["Host: localhost", "Origin: http://localhost"])
        #expect(delete.hasPrefix("HTTP/1.1 405"))
        for path in ["/../../etc/passwd", "/%2e%2e/etc/passwd", "/page.js/", "/api/"] {
            #expect(try page.get(path).hasPrefix("HTTP/1.1 404"), "\(path)")
        }
    }

    @Test("A query can contain only numbers and times, so it cannot add a request to the daemon.")
    func smuggling() throws {
        let daemon = try startDaemon()
        let page = try PageBench(folder)
        for value in ["%22,%22request%22:%22move", "1%0A%7B%22request%22:%22move%22%7D", "a", "%00"] {
            #expect(try page.get("/api/trips?before=\(value)").contains(#""ok":false"#), "\(value)")
        }
        #expect(try page.get("/api/status").contains(#""ok":true"#))
        #expect(daemon.end() == 0)
    }

    @Test("The page sends commands only if the owner allows this, and only with the token of the page.")
    func actions() throws {
        let daemon = try startDaemon()
        let reading = try PageBench(folder)
        #expect(try reading.post("/api/action", #"{"request":"move"}"#).contains("The page is read-only"))
        let acting = try PageBench(folder, ["--allow-actions"])
        let session = try acting.get("/api/session")
        let found = session.components(separatedBy: #""token":""#)
        let token = "X-Trackerd-Token: \(found.last?.prefix(64) ?? "")"
        let own = "Origin: http://localhost"
        #expect(try acting.post("/api/action", #"{"request":"trip start"}"#, [own]).hasPrefix("HTTP/1.1 403"))
        for body in [#"{"request":"config reload"}"#, #"{"request":"trip start","options":"x"}"#, "[]", ""] {
            #expect(try acting.post("/api/action", body, [own, token]).hasPrefix("HTTP/1.1 400"), "\(body)")
        }
        let started = try acting.post("/api/action", #"{"request":"trip start","tripId":"A\n7"}"#, [own, token])
        #expect(started.contains(#""ok":false"#) && started.contains("tripId"), "\(started)")
        let right = try acting.post("/api/action", #"{"request":"trip start","tripId":"A7"}"#, [own, token])
        #expect(right.contains(#""ok":true"#), "\(right)")
        #expect(try Daemon.output(["status", "--config", vehicle.config]).text.contains("A7"))
        #expect(daemon.end() == 0)
    }

    @Test("If a password is set, the page shows no position without it, and delays logins after wrong passwords.")
    func login() throws {
        let daemon = try startDaemon()
        let page = try PageBench(folder, try password())
        for path in ["/api/status", "/api/events", "/api/track"] {
            #expect(try page.get(path).hasPrefix("HTTP/1.1 401"), "\(path)")
        }
        #expect(try page.get("/api/session").contains(#""loggedIn":false"#))
        let answer = try page.post("/api/login", #"{"password":"correct horse"}"#)
        let cookie = answer.components(separatedBy: "Set-Cookie: ").last?.prefix { $0 != ";" } ?? ""
        #expect(answer.contains("HttpOnly; SameSite=Strict") && cookie.count > 64, "\(answer)")
        #expect(try page.get("/api/status", ["Cookie: \(cookie)"]).contains(#""ok":true"#))
        let end = try page.post("/api/logout", "{}", ["Origin: http://localhost", "Cookie: \(cookie)"])
        #expect(end.contains("Max-Age=0"))
        #expect(try page.get("/api/status", ["Cookie: \(cookie)"]).hasPrefix("HTTP/1.1 401"))
        for _ in 0..<5 {
            #expect(try page.post("/api/login", #"{"password":"wrong"}"#).hasPrefix("HTTP/1.1 401"))
        }
        let late = try page.post("/api/login", #"{"password":"correct horse"}"#)
        #expect(late.hasPrefix("HTTP/1.1 429") && late.contains("Retry-After: "), "\(late)")
        #expect(daemon.end() == 0)
    }

    @Test("A password that is too short, and a password file that others can read, are refused.")
    func passwordFile() throws {
        let short = try PageBench.output(["set-password", folder + "/short"], input: "short\n")
        #expect(short.status != 0 && short.errors.contains("fewer than 10"))
        _ = try password()
        chmod(folder + "/password", 0o640)
        let open = try PageBench.output(["--listen", "127.0.0.1:0", "--password-file", folder + "/password"])
        #expect(open.status != 0 && open.errors.contains("Run `chmod 600"), "\(open.errors)")
        try vehicle.scratch.write("secret\n", to: "plain")
        chmod(folder + "/plain", 0o600)
        let plain = try PageBench.output(["--listen", "127.0.0.1:0", "--password-file", folder + "/plain"])
        #expect(plain.status != 0 && plain.errors.contains("not contain the hash") && !plain.errors.contains("secret"))
    }

    @Test("To listen beyond this computer, the page requires a password and TLS.")
    func network() throws {
        let bare = try PageBench.output(["--listen", "0.0.0.0:0"])
        #expect(bare.status != 0 && bare.errors.contains("Create a password with"), "\(bare.errors)")
        let clear = try PageBench.output(["--listen", "0.0.0.0:0"] + password())
        #expect(clear.status != 0 && clear.errors.contains("unencrypted"), "\(clear.errors)")
        let taken = try PageBench(folder)
        let twice = try PageBench.output(["--listen", "127.0.0.1:\(taken.port)"])
        #expect(twice.status != 0 && twice.errors.contains("Address already in use"), "\(twice.errors)")
    }
}
