import Foundation
import Glibc
import Peers
import Testing

@Suite("A page that is flooded, stopped or killed")
struct PageFloodTests {
    private let vehicle: Vehicle

    init() throws { vehicle = try Vehicle(tracking: Vehicle.earlyArrival) }

    private var folder: String { vehicle.scratch.path }

    @Test("The page refuses a header or a body that is too long, and continues.")
    func long() throws {
        let page = try PageBench(folder)
        let head = try page.get("/", ["X-Long: " + String(repeating: "a", count: 40_000)])
        #expect(head.isEmpty || head.hasPrefix("HTTP/1.1 431"), "\(head.prefix(40))")
        let body = String(repeating: "a", count: 100_000)
        #expect(try page.post("/api/login", body).contains(#""ok":"#))
        #expect(try page.get("/api/session").contains(#""ok":true"#))
    }

    @Test("A browser that sends its request byte by byte loses its connection after ten seconds.")
    func slow() throws {
        let page = try PageBench(folder)
        let browser = try page.connect()
        var isOpen = true
        for byte in "GET / HTTP/1.1\r\nHost: localhost\r\n" where isOpen {
            isOpen = browser.send(String(byte)) && !browser.isClosed(within: 0.5)
        }
        #expect(!isOpen)
        #expect(try page.get("/api/session").contains(#""ok":true"#))
    }

    @Test("The page opens at most 8 streams beside other connections, and accepts a new one when another has ended.")
    func places() throws {
        let page = try PageBench(folder)
        var browsers = try (0..<8).map { _ in try page.connect() }
        for browser in browsers {
            browser.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(browser.read(until: { $0.contains("connection") }, seconds: 5).contains("text/event-stream"))
        }
        #expect(try page.get("/api/events").hasPrefix("HTTP/1.1 503"))
        browsers += try (0..<60).map { _ in try page.connect() }
        #expect(eventually { page.unacceptedConnections == 0 })
        browsers = []
        #expect(eventually { (try? page.get("/api/session").contains(#""ok":true"#)) == true })
        let isAccepted = eventually {
            guard let next = try? page.connect() else { return false }
            next.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return next.read(until: { $0.contains("connection") || $0.contains("503") }, seconds: 5).contains(
                "text/event-stream")
        }
        #expect(isAccepted)
    }

    private static let strangers: [(connections: Int, addresses: Int, sent: String)] = [
        (31, 1, ""), (32, 1, ""), (64, 1, "GET / HTTP/1.1\r\nHost:"), (64, 16, ""), (100, 64, "GET"),
        (40, 5, "GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ]

    @Test("Connections that a stranger leaves open keep nobody else from the page, neither meanwhile nor afterwards.")
    func stranger() throws {
        // Each stranger gets a page of its own, so that all pages wait for their strangers at the same time.
        let pages = try Self.strangers.map { stranger in
            let page = try PageBench(folder)
            let browsers = try (0..<stranger.connections).map { number in
                let browser = try page.connect(from: 0x7f00_0100 + UInt32(number % stranger.addresses))
                browser.send(stranger.sent)
                return browser
            }
            #expect(try page.get("/api/session").contains(#""ok":true"#), "\(stranger)")
            return (stranger, page, browsers)
        }
        for (stranger, page, browsers) in pages {
            for browser in browsers { #expect(browser.isClosed(within: 45), "\(stranger)") }
            #expect(try page.get("/api/session").contains(#""ok":true"#), "\(stranger)")
        }
    }

    @Test("Behind a web server, where all browsers have one address, connections without a request keep nobody out.")
    func proxy() throws {
        _ = try PageBench.output(["set-password", folder + "/password"], input: "correct horse\n")
        let page = try PageBench(folder, ["--behind-proxy", "--password-file", folder + "/password"])
        let browsers = try (0..<20).map { _ in try page.connect() }
        #expect(try page.get("/api/session").contains(#""ok":true"#))
        #expect(browsers.allSatisfy { !$0.isClosed(within: 0.1) })
        let more = try (0..<40).map { _ in try page.connect() }
        #expect(try page.get("/api/session").contains(#""ok":true"#))
        for browser in browsers + more { #expect(browser.isClosed(within: 20)) }
        #expect(try page.get("/api/session").contains(#""ok":true"#))
    }

    @Test("The daemon loses no record if the page is suspended, flooded with requests or killed.")
    func daemon() throws {
        let daemon = try vehicle.start()
        #expect(eventually { isListening(at: folder + "/read.sock") })
        let page = try PageBench(folder)
        let viewer = try page.connect()
        viewer.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(viewer.read(until: { $0.contains(#""event":"status""#) }, seconds: 10).contains(#""state""#))
        page.signal(SIGSTOP)
        #expect(try vehicle.isTracking())
        page.signal(SIGCONT)
        let span = "from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z"
        let browsers = try (0..<24).map { _ in try page.connect() }
        for browser in browsers {
            for _ in 0..<20 { browser.send("GET /api/track?\(span) HTTP/1.1\r\nHost: localhost\r\n\r\n") }
        }
        #expect(try vehicle.isTracking())
        page.end()
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        #expect(daemon.endInTime() == 0)
    }
}
