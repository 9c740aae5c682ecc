import Foundation
import Peers
import Testing

@Suite("The map of the `report` command", .enabled(if: WebServer.python != nil, "not installed: python3"))
struct ReportMapTests {
    private let samples: TripSamples
    private let server: WebServer

    init() throws {
        samples = try TripSamples()
        server = try WebServer()
    }

    private var tiles: String { "http://127.0.0.1:\(server.port)/{z}/{x}/{y}.png?key=s3same" }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(["report", "--trip", "1"] + arguments + ["--config", samples.config])
    }

    /// The paths of the tiles in a page; each tile of the server contains its path.
    private func paths(in page: String) -> [String] {
        page.matches(of: /href="data:image\/png;base64,([^"]+)"/).compactMap { match in
            Data(base64Encoded: String(match.1)).map { String(decoding: $0.dropFirst(8), as: UTF8.self) }
        }
    }

    /// The expected tiles follow from the formulas of the OpenStreetMap wiki (page "Slippy map tilenames") for a track from
    /// 52.5° to 52.514° north at 13.4° east in a drawing of 1000 × 750 units, 630 of which show the track.
    @Test("The report contains the tiles of the track, which the command requests once with its name and its version.")
    func map() throws {
        try server.answer("tiles")
        try server.start()
        let (text, errors, status) = try run("--tiles", tiles, "--attribution", "© Example contributors")
        #expect(status == 0 && errors == "Fetching 12 map tiles from 127.0.0.1.\n", "\(errors)")
        let expected = (10_747...10_749).flatMap { y in (17_602...17_605).map { "/15/\($0)/\(y).png?key=s3same" } }
        #expect(paths(in: text) == expected)
        #expect(server.requests.map(\.path) == expected)
        #expect(server.requests.allSatisfy { $0.headers["User-Agent"]?.hasPrefix("trackerd/") == true })
        #expect(Set(server.requests.map(\.connection)).count == 1, "one connection")
        #expect(text.contains("© Example contributors") && !text.contains("127.0.0.1") && !text.contains("s3same"))
    }

    @Test("Without `--tiles`, the command sends no request, and the report has no map.")
    func noServer() throws {
        try server.answer("tiles")
        try server.start()
        let (text, errors, status) = try run()
        #expect(status == 0 && errors.isEmpty && text.contains(#"class="grid""#) && !text.contains("<image"))
        #expect(server.requests.isEmpty)
    }

    @Test("The report shows the tiles that the server has, and the command names the number of missing tiles.")
    func missing() throws {
        try server.answer("some tiles")
        try server.start()
        let (text, errors, status) = try run("--tiles", tiles.replacing("?key=s3same", with: ""), "--max-zoom", "14")
        let requested = server.requests.map(\.path)
        let absent = requested.count { $0.hasSuffix("4.png") }
        #expect(status == 0 && !requested.isEmpty && requested.allSatisfy { $0.hasPrefix("/14/") })
        #expect(paths(in: text) == requested.filter { !$0.hasSuffix("4.png") })
        #expect(absent > 0 && errors.contains("The map lacks \(absent) of \(requested.count) tiles"), "\(errors)")
        #expect(text.contains(#"<p class="attribution">Map: 127.0.0.1</p>"#))
    }

    @Test(
        "If the server fails, the command stops at once, warns, and writes the report without a map.",
        arguments: [
            ("403", "127.0.0.1 answers with status 403"), ("429", "127.0.0.1 answers with status 429"),
            ("moved", "127.0.0.1 answers with status 302"), ("html", "127.0.0.1 sends no PNG, JPEG or WebP image"),
            ("huge", "127.0.0.1 sends a tile of more than 256 KiB"), ("cut", "the connection to 127.0.0.1 broke"),
        ])
    func failure(manner: String, reason: String) throws {
        try server.answer(manner)
        try server.start()
        let (text, errors, status) = try run("--tiles", tiles)
        #expect(status == 0 && errors.contains("The report has no map: \(reason)"), "\(errors)")
        #expect(!errors.contains("s3same") && server.requests.count <= 2)
        #expect(text.contains(#"class="grid""#) && !text.contains("<image") && text.contains("</html>"))
    }

    @Test("If no server answers, the command warns, and writes the report without a map.")
    func absent() throws {
        let (text, errors, status) = try run("--tiles", tiles)
        #expect(status == 0 && errors.contains("The report has no map: 127.0.0.1 is unreachable"), "\(errors)")
        #expect(text.contains(#"class="grid""#))
    }

    @Test(
        "A wrong option of the map is an error with a remedy.",
        arguments: [
            (["--tiles", "http://tiles.example.net/{z}/{x}/{y}.png"], "does not use https"),
            (["--tiles", "https://tiles.example.net/{z}/{x}"], "lacks the placeholder {y}"),
            (["--attribution", "© Example"], "Add --tiles, or leave --attribution out"),
            (["--tiles", "https://tiles.example.net/{z}/{x}/{y}.png", "--max-zoom", "23"], "from 0 to 22"),
        ])
    func mistakes(arguments: [String], text: String) throws {
        let found = try Daemon.output(["report"] + arguments + ["--config", samples.config])
        #expect(found.status == 64 && found.errors.contains(text), "\(found)")
    }
}
