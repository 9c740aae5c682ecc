import Foundation
import Glibc
import Peers
import Testing

@Suite("A page that is flooded, stopped or killed")
struct PageFloodTests {
    private let vehicle: Vehicle

    init() throws { vehicle = try Vehicle() }

    private var folder: String { vehicle.scratch.path }

    @Test("A head or a body that is too long is refused, and the page goes on.")
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

    @Test("At most 32 connections and 8 streams are open, and a place that becomes free is used again.")
    func places() throws {
        let page = try PageBench(folder)
        var browsers = try (0..<8).map { _ in try page.connect() }
        for browser in browsers {
            browser.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(browser.read(until: { $0.contains("connection") }, seconds: 5).contains("text/event-stream"))
        }
        #expect(try page.get("/api/events").hasPrefix("HTTP/1.1 503"))
        browsers += try (0..<60).map { _ in try page.connect() }
        usleep(200_000)
        browsers = []
        #expect(eventually { (try? page.get("/api/session").contains(#""ok":true"#)) == true })
    }

    @Test("A stopped page with viewers, a flood of requests and a killed page cost the daemon no record.")
    func daemon() throws {
        let daemon = try vehicle.start()
        #expect(eventually { FileManager.default.fileExists(atPath: folder + "/read.sock") })
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
