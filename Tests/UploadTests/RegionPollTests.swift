import Foundation
import Peers
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite(
    "The regions of a server on nginx",
    .enabled(if: Nginx.program != nil && Certificate.openssl != nil, "not installed: nginx or openssl"))
struct RegionPollTests {
    private let scratch: Scratch
    private let nginx: Nginx
    private let poll: RegionPoll
    private let start = Instant(seconds: 100)

    init() throws {
        scratch = try Scratch()
        let certificate = try Certificate(for: "127.0.0.1", in: scratch)
        nginx = try Nginx(certificate, clientAuthority: certificate.file)
        let source = RegionSource(
            url: "https://127.0.0.1:\(nginx.secure)/orders/r.json?at={latitude},{longitude}&n={limit}",
            interval: .seconds(3600))
        let target = try UploadTarget(
            name: "home", url: "https://127.0.0.1:\(nginx.secure)/pub", format: "owntracks", user: "fleet",
            device: "van1", access: TargetAccess(caFile: certificate.file), control: [.regions], regions: source)
        poll = RegionPoll(source, target, TransportTimeouts())
    }

    private func query(_ latitude: Double) -> RegionQuery {
        RegionQuery(place: Coordinate(latitude: latitude, longitude: 13), limit: 4)
    }

    /// Nil if no request ends.
    private func result(at now: Instant) -> FilePoll.Result? {
        var result: FilePoll.Result?
        _ = eventually {
            result = poll.turn(at: now)
            return result != nil || poll.watches.isEmpty && poll.deadline.map { $0 > now } ?? true
        }
        return result
    }

    private var statuses: [String] { nginx.requests.map { String($0[3]) } }

    @Test("Regions are fetched only after a request of the daemon, and after the interval only if they have changed.")
    func version() throws {
        try nginx.serve("[1]", as: "r.json")
        #expect(poll.deadline == nil && result(at: start) == nil)
        poll.follow(query(52), at: start)
        #expect(result(at: start) == .changed(Array("[1]".utf8)))
        #expect(poll.deadline == start + .seconds(3600))
        #expect(result(at: start + .seconds(3600)) == .unchanged)
        #expect(statuses == ["200", "304"])
        poll.follow(nil, at: start + .seconds(3700))
        #expect(poll.deadline == nil)
    }

    @Test("At another place the regions are fetched at once, but not twice in 10 s; equal regions are unchanged.")
    func moved() throws {
        try nginx.serve("[1]", as: "r.json")
        poll.follow(query(52), at: start)
        #expect(result(at: start) == .changed(Array("[1]".utf8)))
        poll.follow(query(53), at: start + .seconds(4))
        #expect(poll.deadline == start + .seconds(10))
        poll.follow(query(53.5), at: start + .seconds(90))
        #expect(poll.deadline == start + .seconds(10))
        // nginx ignores the place, so the body is the same. The version of one address is not valid for another address.
        #expect(result(at: start + .seconds(90)) == .unchanged)
        #expect(statuses == ["200", "200"])
        try nginx.serve("[1,2]", as: "r.json")
        poll.follow(query(54), at: start + .seconds(300))
        #expect(result(at: start + .seconds(300)) == .changed(Array("[1,2]".utf8)))
        // The program could not store the regions, so it reads them again.
        poll.forgetVersion()
        #expect(result(at: start + .seconds(3900)) == .changed(Array("[1,2]".utf8)))
    }

    @Test("The owner can have the regions fetched at once, also during the pause after a failure.")
    func hurried() throws {
        try nginx.serve("[1]", as: "r.json")
        poll.fetchNow(at: start)
        #expect(poll.deadline == nil, "the daemon requests no regions")
        poll.follow(query(52), at: start)
        #expect(result(at: start) == .changed(Array("[1]".utf8)))
        poll.fetchNow(at: start + .seconds(5))
        #expect(result(at: start + .seconds(5)) == .unchanged)
        #expect(statuses == ["200", "304"])
        nginx.stop()
        poll.fetchNow(at: start + .seconds(20))
        #expect(result(at: start + .seconds(20)) != nil)
        poll.fetchNow(at: start + .seconds(25))
        #expect(poll.deadline == start + .seconds(25))
    }

    @Test("Without a position, an address with a place is not requested.")
    func blind() throws {
        poll.follow(RegionQuery(place: nil, limit: 4), at: start)
        #expect(poll.deadline == nil && result(at: start) == nil)
    }

    @Test("A failure is reported once, and the next request waits for the end of the pause, even at another place.")
    func failures() throws {
        let reason = "the regions cannot be fetched"
        nginx.stop()
        poll.follow(query(52), at: start)
        guard case .failed(let text, isFirst: true)? = result(at: start) else {
            Issue.record("no failure")
            return
        }
        #expect(text.hasPrefix(reason))
        let next = try #require(poll.deadline)
        poll.follow(query(53), at: start + .seconds(1))
        #expect(poll.deadline == next && next > start + .seconds(1))
        guard case .failed(_, isFirst: false)? = result(at: next) else {
            Issue.record("no second failure")
            return
        }
    }

    @Test("Without a network, regions of another computer are not requested, and the first request follows its return.")
    func offline() throws {
        let source = RegionSource(url: "https://fleet.example.net/regions.json")
        let target = try UploadTarget(
            name: "home", url: "https://fleet.example.net/pub", format: "owntracks", user: "fleet", device: "van1",
            control: [.regions], regions: source)
        let poll = RegionPoll(source, target, TransportTimeouts())
        poll.follow(query(52), at: start)
        #expect(poll.deadline != nil)
        poll.follow(isOnline: false, at: start)
        #expect(poll.deadline == nil && poll.turn(at: start) == nil && poll.watches.isEmpty)
        poll.follow(isOnline: true, at: start + .seconds(7200))
        #expect(poll.deadline.map { $0 <= start + .seconds(7200) } == true)
    }
}

@Suite("The address of regions")
struct RegionSourceTests {
    private func target(_ url: String, _ control: Set<RemotePermission> = [.regions]) throws -> UploadTarget {
        try UploadTarget(
            name: "home", url: "https://fleet.example.net/pub", format: "geojson", user: "fleet", device: "van1",
            access: TargetAccess(username: "me", password: SecretSource("hunter2")), control: control,
            regions: RegionSource(url: url))
    }

    @Test("The placeholders become the rounded position and the limit; without a position there is no address.")
    func placeholders() {
        let source = RegionSource(url: "https://a.example/{limit}?near={latitude},{longitude}")
        let place = Coordinate(latitude: -33.856_784_9, longitude: 0.000_04)
        #expect(source.url(for: RegionQuery(place: place, limit: 9)) == "https://a.example/9?near=-33.8568,0.0000")
        #expect(source.url(for: RegionQuery(place: nil, limit: 9)) == nil)
        let fixed = RegionSource(url: "https://a.example/r?n={limit}")
        #expect(fixed.url(for: RegionQuery(place: nil, limit: 9)) == "https://a.example/r?n=9")
    }

    @Test(
        "The error for wrong regions of a target names the key and the remedy.",
        arguments: [
            (
                "https://fleet.example.net/r?at={lat}",
                "`regions` has a `url` with an unknown placeholder. Use `{latitude}`, `{longitude}`, `{limit}`."
            ),
            (
                "https://r{limit}.example.net/r",
                "`regions` has a `url` with a placeholder in the name of the server. Use placeholders only after the name of the server."
            ),
            (
                "http://fleet.example.net/r",
                "`regions` has a `url` without encryption, so anybody in the network could send regions. Use https://."
            ),
            (
                "ftp://fleet.example.net/r",
                "`regions` has a `url` that is not the address of a file on a web server. Write a URL such as `https://fleet.example.net/regions.json`."
            ),
        ])
    func faults(url: String, fault: String) {
        let error = #expect(throws: UploadTargetError.self) { try target(url) }
        #expect(error?.description == "upload target `home`: \(fault)")
    }

    @Test("Regions need the permission `regions`.")
    func permission() {
        let error = #expect(throws: UploadTargetError.self) { try target("https://fleet.example.net/r", [.waypoints]) }
        #expect(
            error?.description
                == "upload target `home`: `regions` is set, but `control` does not permit regions. Write `control: [regions]` in the target."
        )
    }

    @Test("The target's secrets are sent with the request for regions only if the regions are on the same server.")
    func secrets() throws {
        let same = try target("https://fleet.example.net/r?at={latitude}")
        #expect(same.regionAccess.username == "me")
        let other = try target("https://regions.example.net/r?at={latitude}")
        #expect(other.regionAccess.username == nil && other.regionAccess.password == nil)
    }
}
