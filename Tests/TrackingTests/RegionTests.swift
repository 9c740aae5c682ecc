import Foundation
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A region")
struct RegionTests {
    @Test(
        "The error for a region that cannot be watched states the fault and the remedy.",
        arguments: [
            (.noKey, "region `Depot`: it has no `id`. Add one."),
            (.radius(.zero), "region `Depot`: its radius is 0 m, which switches it off. Give a radius above 0 m."),
            (.radius(Metres(-3)), "region `Depot`: its radius is -3.0 m. Give one above 0 m and up to 5000 km."),
            (.border(.tooFewPoints(1)), "region `Depot`: its border has 1 different point. Give at least 3."),
            (.border(.tooFewPoints(2)), "region `Depot`: its border has 2 different points. Give at least 3."),
            (.border(.aroundPole), "region `Depot`: its border encloses a pole. Use a circle there."),
            (
                .uuid("x"),
                "region `Depot`: `x` is not the UUID of a beacon. Give 32 hexadecimal digits, as 8-4-4-4-12."
            ),
            (.dwell(.zero), "region `Depot`: the dwell time is not above 0 s. Give a longer one, or leave it out."),
            (.rssi(21), "region `Depot`: 21 dBm is not a valid signal limit. Give one from -127 to 20."),
        ] as [(RegionError.Cause, String)])
    func messages(cause: RegionError.Cause, message: String) {
        #expect(RegionError(region: "Depot", cause: cause).description == message)
    }

    @Test(
        "A region with a radius of 0, below 0, or without limit is refused.",
        arguments: [0, -1, 5_000_001, Double.infinity])
    func radius(metres: Double) {
        #expect(throws: RegionError(region: "a", cause: .radius(Metres(metres)))) {
            try Samples.circle("a", radius: metres)
        }
    }

    @Test("A region with a radius that is not a number is refused.")
    func noRadius() { #expect(throws: RegionError.self) { try Samples.circle("a", radius: .nan) } }

    @Test("A region needs a border of three points, and so do its holes.")
    func border() {
        let few = [(0.0, 0.0), (10, 0), (0, 0), (10, 0)]
        let problem = RegionError(region: "a", cause: .border(.tooFewPoints(2)))
        #expect(throws: problem) { try Samples.polygon("a", few) }
        #expect(throws: problem) { try Samples.polygon("a", [(0, 0), (90, 0), (0, 90)], hole: few) }
    }

    @Test("A region refuses invalid options and an empty key.")
    func options() {
        var dwell = Region.Options()
        dwell.dwell = .zero
        #expect(throws: RegionError(region: "a", cause: .dwell(.zero))) { try Samples.circle("a", options: dwell) }
        var limit = Region.Options()
        limit.rssiLimit = -128
        #expect(throws: RegionError(region: "a", cause: .rssi(-128))) {
            try Samples.beaconRegion("a", options: limit)
        }
        #expect(throws: RegionError(region: "", cause: .noKey)) { try Samples.circle("") }
    }

    @Test(
        "A region needs a beacon with a UUID in lower case.", arguments: ["", "6D1F2A90-4C3E-4B7A-9E55-0A1B2C3D4E5F"])
    func beacon(uuid: String) {
        #expect(throws: RegionError(region: "a", cause: .uuid(uuid))) {
            try Samples.region("a", .beacon(BeaconIdentity(uuid: uuid)))
        }
    }

    @Test("A region accepts OwnTracks' UUIDs and numbers, where 0 means any.")
    func ownTracksBeacon() {
        let upper = "6D1F2A90-4C3E-4B7A-9E55-0A1B2C3D4E5F"
        let identity = BeaconIdentity(ownTracksUUID: upper, major: 0, minor: 7)
        #expect(identity == BeaconIdentity(uuid: Samples.uuid, major: nil, minor: 7))
        #expect(BeaconIdentity(ownTracksUUID: "van", major: 0, minor: 7) == nil)
    }

    @Test("A region is the same after encoding and decoding.")
    func coding() throws {
        var options = Region.Options()
        options.dwell = .seconds(90)
        options.modeOnLeave = .quiet
        let circle = RegionArea.circle(centre: try #require(Samples.home), radius: Metres(7))
        let regions = [
            try Samples.circle("a", options: options), try Samples.beaconRegion("b"),
            try Samples.polygon("c", [(0, 0), (90, 0), (0, 90)], hole: [(9, 9), (20, 9), (9, 20)]),
            try Samples.region("d", .areaWithBeacon(circle, BeaconIdentity(uuid: Samples.uuid, major: 1))),
        ]
        let written = try JSONEncoder().encode(regions)
        #expect(try JSONDecoder().decode([Region].self, from: written) == regions)
    }

    @Test("A stored region with a border of two points is not decoded.")
    func badCoding() {
        let written = Data(#"[{"lat":1,"lon":1},{"lat":1,"lon":2}]"#.utf8)
        #expect(throws: Ring.Problem.tooFewPoints(2)) { try JSONDecoder().decode(Ring.self, from: written) }
    }
}
