import Quantities
import TestSupport
import Testing

@testable import Tracking

@Suite("The choice among the regions of servers")
struct RegionSyncTests {
    private let regions: [Region]
    private var sync: RegionSync

    init() throws {
        regions = [
            try Samples.circle("far", east: 9000, radius: 100), try Samples.circle("large", east: -9000, radius: 8000),
            try Samples.polygon("yard", [(3000, -50), (3100, -50), (3050, 50)]), try Samples.circle("here", radius: 20),
        ]
        sync = RegionSync([ServerRegions(target: "home", regions: regions)], own: [])
    }

    /// Chooses regions for a place `east` metres from home (nil: unknown place); returns their ids.
    private mutating func choose(_ east: Double?, limit: Int, occupied: [String] = []) throws -> [String] {
        let place = try east.map { try Samples.accepted(0, east: $0).coordinate }
        _ = sync.choose(at: place, limit: limit) { occupied }
        return sync.chosen.map(\.id)
    }

    @Test(
        "The tracker watches the regions with the nearest borders, in the order of the server's list.",
        arguments: [
            (0.0, 9, ["far", "large", "yard", "here"]), (0, 2, ["large", "here"]), (3050, 2, ["yard", "here"]),
            (0, 0, []), (-9000, 1, ["large"]),
        ])
    mutating func nearest(east: Double, limit: Int, expected: [String]) throws {
        #expect(try choose(east, limit: limit) == expected)
    }

    @Test("The choice changes only when the vehicle reaches the border of a region that is not chosen.")
    mutating func area() throws {
        #expect(try choose(0, limit: 2) == ["large", "here"])
        // The western corner of the yard is at 3000 m.
        #expect(try choose(2990, limit: 2) == ["large", "here"])
        #expect(try choose(3010, limit: 2) == ["yard", "here"])
        #expect(sync.area.map { $0.radius < Metres(4020) } == true, "the border of the large region is next")
        #expect(try choose(-9000, limit: 2) == ["large", "here"])
    }

    @Test("If all regions are chosen, no place changes the choice.")
    mutating func complete() throws {
        #expect(try choose(0, limit: 4) == regions.map(\.id))
        #expect(sync.area == nil)
        let place = try Samples.accepted(0, east: 90_000).coordinate
        #expect(!sync.choose(at: place, limit: 4) { [] })
    }

    @Test("A region that the vehicle is in remains chosen, although other regions are nearer.")
    mutating func occupied() throws {
        #expect(try choose(3050, limit: 1, occupied: ["large"]) == ["large", "yard"])
        #expect(try choose(3050, limit: 0, occupied: ["large"]) == [])
    }

    @Test(
        "While the position is unknown, only regions that the vehicle is in are chosen; the first position changes this."
    )
    mutating func blind() throws {
        #expect(try choose(nil, limit: 1, occupied: ["large"]) == ["large"])
        #expect(try choose(3050, limit: 1) == ["yard"])
        #expect(try choose(nil, limit: 1) == ["yard"], "a lost position changes nothing")
    }

    @Test(
        "A region with the key or the name of a region of the owner, or of an earlier server, is not chosen, nor is a beacon."
    )
    mutating func imitated() throws {
        let other = [
            try Samples.circle("here", east: 50), try Samples.circle("pier", east: 50), try Samples.beaconRegion("van"),
        ]
        let lists = [ServerRegions(target: "home", regions: regions), ServerRegions(target: "work", regions: other)]
        sync.set(lists, own: [RegionName(id: "1", name: "yard"), RegionName(id: "far", name: "Far")])
        #expect(try choose(0, limit: 9) == ["large", "here", "pier"])
        #expect(["large", "here", "pier", "yard"].map(sync.target) == ["home", "home", "work", nil])
        #expect(["home", "work", "away"].map(sync.hiddenCount) == [2, 2, 0])
    }

    @Test(
        "Every region around a random place is watched, unless more regions than the limit are nearer.",
        arguments: 0..<8)
    func property(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let home = try #require(Samples.home)
        let regions = try (0..<60).map { number in
            try Samples.circle(
                "\(number)", east: random.uniform(-4000...4000), north: random.uniform(-4000...4000),
                radius: random.uniform(20...600))
        }
        var sync = RegionSync([ServerRegions(target: "home", regions: regions)], own: [])
        var (east, north, changes, found) = (0.0, 0.0, 0, 0)
        for _ in 0..<500 {
            east += random.uniform(-150...200)
            north += random.uniform(-100...100)
            if east > 4000 { east = -4000 }
            let place = home.moved(east: Metres(east), north: Metres(north))
            if sync.choose(at: place, limit: 5, occupied: { [] }) { changes += 1 }
            let around = regions.filter { $0.shape.area.map { $0.clearance(from: place) <= .zero } == true }
            // If the vehicle is in more regions than the limit, the tracker watches five of them.
            let missing = around.filter { region in !sync.chosen.contains { $0.id == region.id } }
            #expect(missing.isEmpty || around.count > 5, "seed \(seed): \(missing.map(\.id))")
            found += around.count
        }
        #expect(changes > 5 && changes < 500 && found > 30, "seed \(seed): \(changes) changes, \(found) regions")
    }
}

@Suite("The request for regions of servers")
struct RegionQueryTests {
    private let home: Coordinate

    init() throws { home = try #require(Samples.home) }

    private func sync(_ count: Int, spaced: Double) throws -> RegionSync {
        let regions = try (1...max(count, 1)).map { try Samples.circle("\($0)", east: Double($0) * spaced) }
        return RegionSync([ServerRegions(target: "home", regions: count == 0 ? [] : regions)], own: [])
    }

    @Test(
        "Servers are asked again beyond the farthest of the nearest regions, after 1 km to 10 km.",
        arguments: [
            // The number of regions, the metres between their centres, and the resulting metres to the next request.
            (3, 2000.0, 5900.0), (9, 2000, 5900), (3, 200, 1000), (3, 9000, 10_000), (2, 2000, 10_000), (0, 1, 10_000),
        ])
    func again(count: Int, spaced: Double, radius: Double) throws {
        var sync = try sync(count, spaced: spaced)
        #expect(sync.query(at: home, limit: 3) == RegionQuery(place: home, limit: 3))
        let near = home.moved(east: .zero, north: Metres(radius - 20))
        #expect(sync.query(at: near, limit: 3) == RegionQuery(place: home, limit: 3))
        let far = home.moved(east: .zero, north: Metres(radius + 20))
        #expect(sync.query(at: far, limit: 3) == RegionQuery(place: far, limit: 3))
    }

    @Test("A new list of regions changes the distance to the next request, but not the place of the last one.")
    func answered() throws {
        var sync = try sync(0, spaced: 1)
        _ = sync.query(at: home, limit: 3)
        let regions = try (1...3).map { try Samples.circle("\($0)", east: Double($0) * 1000) }
        sync.set([ServerRegions(target: "home", regions: regions)], own: [])
        let near = home.moved(east: .zero, north: Metres(2880))
        #expect(sync.query(at: near, limit: 3) == RegionQuery(place: home, limit: 3))
        let far = home.moved(east: .zero, north: Metres(2920))
        #expect(sync.query(at: far, limit: 3) == RegionQuery(place: far, limit: 3))
    }

    @Test("Without a limit there is no request, and a request without a position is possible.")
    func none() throws {
        var sync = try sync(1, spaced: 1)
        #expect(sync.query(at: home, limit: 0) == nil)
        #expect(sync.query(at: nil, limit: 2) == RegionQuery(place: nil, limit: 2))
        #expect(sync.query(at: home, limit: 2) == RegionQuery(place: home, limit: 2))
        #expect(sync.query(at: home, limit: 4) == RegionQuery(place: home, limit: 4))
    }
}
