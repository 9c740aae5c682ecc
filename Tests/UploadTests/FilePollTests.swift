import Foundation
import Peers
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite(
    "A file with orders on nginx",
    .enabled(if: Nginx.program != nil && Certificate.openssl != nil, "not installed: nginx or openssl"))
struct FilePollTests {
    private let scratch: Scratch
    private let nginx: Nginx
    private let certificate: Certificate

    init() throws {
        scratch = try Scratch()
        certificate = try Certificate(for: "127.0.0.1", in: scratch)
        nginx = try Nginx(certificate, clientAuthority: certificate.file)
    }

    private func poll(_ path: String) throws -> FilePoll {
        let source = OrderSource(url: "https://127.0.0.1:\(nginx.secure)\(path)", interval: .seconds(600))
        let target = try UploadTarget(
            name: "home", url: "https://127.0.0.1:\(nginx.secure)/pub", format: "owntracks", user: "fleet",
            device: "van1", access: TargetAccess(caFile: certificate.file), control: [.locate], orders: source)
        return FilePoll(
            "orders", at: source.url, every: source.interval, target.orderAccess, target.proxy, TransportTimeouts())
    }

    /// Nil if no request ends.
    private func result(of poll: FilePoll, at now: Instant) -> FilePoll.Result? {
        var result: FilePoll.Result?
        _ = eventually {
            result = poll.turn(at: now)
            return result != nil || poll.watches.isEmpty && poll.deadline ?? now > now
        }
        return result
    }

    @Test("The file is read again only after it has changed, and not before the interval is over.")
    func version() throws {
        try nginx.serve("[1]", as: "a.json")
        let poll = try poll("/orders/a.json")
        let start = Instant(seconds: 100)
        #expect(result(of: poll, at: start) == .changed(Array("[1]".utf8)))
        #expect(poll.deadline == start + .seconds(600))
        #expect(result(of: poll, at: start + .seconds(599)) == nil)
        #expect(result(of: poll, at: start + .seconds(600)) == .unchanged)
        #expect(nginx.requests.last.map { $0[3] } == "304")
        try nginx.serve("[1,2]", as: "a.json")
        #expect(result(of: poll, at: start + .seconds(1200)) == .changed(Array("[1,2]".utf8)))
        // The program could not store an order, so it reads the same file again.
        poll.forgetVersion()
        #expect(result(of: poll, at: start + .seconds(1800)) == .changed(Array("[1,2]".utf8)))
    }

    @Test("A missing file contains no orders, and a failure is reported once and repeated after growing pauses.")
    func failures() throws {
        let missing = try poll("/orders/none.json")
        #expect(result(of: missing, at: Instant(seconds: 100)) == .unchanged)
        let poll = try poll("/busy")
        var now = Instant(seconds: 100)
        let reason = "127.0.0.1 answers the request for orders with status 503"
        #expect(result(of: poll, at: now) == .failed(reason, isFirst: true))
        var pauses: [Duration] = []
        for _ in 0..<6 {
            let next = try #require(poll.deadline)
            pauses.append(next - now)
            now = next
            #expect(result(of: poll, at: now) == .failed(reason, isFirst: false))
        }
        #expect(pauses.allSatisfy { $0 <= .seconds(600) } && pauses.last ?? .zero > pauses[0])
    }
}
