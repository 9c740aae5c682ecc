import Contracts
@testable import Formats
import Peers
import Testing
@testable import Upload

@Suite("Compressed requests", .enabled(if: WebServer.python != nil, "python3 is missing: apt install python3"))
struct CompressionTests {
    private let server: WebServer

    init() throws {
        server = try WebServer()
        try server.start()
    }

    @Test("With `compress: gzip`, a server receives the same body in a fifth of the bytes.")
    func gzip() throws {
        var driver = try driver(.gzip)
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        var plain = try self.driver(.none)
        plain.send(1)
        #expect(plain.verdicts(1) == [1: .delivered])
        let (compressed, whole) = (server.requests[0], server.requests[1])
        #expect(compressed.headers["Content-Encoding"] == "gzip" && whole.headers["Content-Encoding"] == nil)
        #expect(compressed.body == whole.body)
        #expect(compressed.bytes * 5 < whole.bytes && whole.bytes == whole.body.utf8.count)
    }

    @Test("Without the option, a body is compressed only after the server has offered to accept it.")
    func offered() throws {
        var driver = try driver(.offered)
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        try server.answer("offer gzip")
        for id in 2...3 {
            driver.send(id)
            #expect(driver.verdicts(1) == [id: .delivered])
        }
        #expect(server.requests.map { $0.headers["Content-Encoding"] } == [nil, nil, "gzip"])
    }

    @Test(
        "A server that rejects compressed bodies receives the same records plain, at once and from then on.",
        arguments: [400, 415, 500])
    func rejected(status: Int) throws {
        try server.answer("no gzip \(status)")
        var driver = try driver(.gzip)
        for id in 1...2 {
            driver.send(id)
            #expect(driver.verdicts(1) == [id: .delivered])
        }
        #expect(server.requests.map { $0.headers["Content-Encoding"] } == ["gzip", nil, nil])
        #expect(server.bodies[0] == server.bodies[1])
    }

    @Test("A server that rejects the records themselves does not count as one that rejects compression.")
    func refused() throws {
        try server.answer("400")
        var driver = try driver(.gzip)
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .refused(reason: "status 400")])
        try server.behave(.good)
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        #expect(server.requests.map { $0.headers["Content-Encoding"] } == ["gzip", nil, "gzip"])
    }

    @Test("A refused body is not sent twice to a server that has accepted compressed bodies.")
    func acceptedBefore() throws {
        var driver = try driver(.gzip)
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        try server.answer("400")
        driver.send(2)
        #expect(driver.verdicts(1) == [2: .refused(reason: "status 400")])
        #expect(server.requests.count == 2)
    }

    @Test("A message too short for compression is sent plain.")
    func short() throws {
        var driver = try Driver(
            try UploadTarget(
                name: "home", url: server.url, format: "owntracks", user: "fleet", device: "van1", compression: .gzip))
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        #expect(server.requests[0].headers["Content-Encoding"] == nil)
    }

    private func driver(_ compression: UploadTarget.Compression) throws -> Driver {
        try Driver(
            try UploadTarget(
                name: "home", url: server.url, format: "geojson", user: "fleet", device: "van1",
                compression: compression), recordsPerPayload: 20)
    }
}
