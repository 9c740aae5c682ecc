import Quantities
import TestSupport
import Testing

@testable import Tracking

@Suite("The region tracker on random drives")
struct RegionPropertyTests {
    /// The centres of the random areas: in the north, on the date line, at the equator, and near both poles.
    static let middles = [(52.0, 5.0), (-17, 180), (0.01, -179.99), (0, 0), (89.97, 40), (-89.99, -120), (70, -180)]

    @Test("The region tracker reports the same transitions as one tracker per region.", arguments: 0..<14)
    func bruteForce(seed: Int) throws {
        var country = try Country(seed: seed)
        let regions = try country.regions(60)
        var tracker = RegionTracker(regions)
        var alone = regions.map { RegionTracker([$0]) }
        var count = 0
        for step in 0..<300 {
            let fix = try country.drive(step)
            var expected: [RegionCrossing] = []
            for index in alone.indices { expected += alone[index].handle(fix) }
            let told = tracker.handle(fix)
            #expect(Set(told) == Set(expected) && told.count == expected.count, "seed \(seed)")
            #expect(told.map(\.time) == told.map(\.time).sorted(), "seed \(seed)")
            count += told.count
        }
        #expect(count > 10, "seed \(seed)")
    }

    @Test("The index of regions finds the same regions as a check of every region.", arguments: 0..<14)
    func index(seed: Int) throws {
        var country = try Country(seed: seed)
        let regions = try country.regions(200)
        let table = RegionIndex(regions)
        let none = [Bool](repeating: false, count: regions.count)
        var count = 0
        for step in 0..<100 {
            let place = try country.drive(step).coordinate
            let candidates = Set(table.candidates(at: place, except: none))
            for (slot, region) in table.regions.enumerated() {
                guard let clearance = region.shape.area?.clearance(from: place), clearance <= .zero else { continue }
                count += 1
                if !candidates.contains(slot) { Issue.record("seed \(seed): \(region.id) at \(place)") }
            }
        }
        #expect(count > 100, "seed \(seed)")
    }

    @Test(
        "Transitions of a region alternate at least 10 s apart, and agree with each certain fix.", arguments: 0..<14)
    func rules(seed: Int) throws {
        var country = try Country(seed: seed)
        let regions = try country.regions(40)
        var tracker = RegionTracker(regions)
        var last: [String: (direction: Transition.Direction, time: Timestamp)] = [:]
        for step in 0..<300 {
            let fix = try country.drive(step)
            for crossing in tracker.handle(fix) {
                let id = crossing.transition.region.id
                #expect(crossing.transition.direction != (last[id]?.direction ?? .leave), "seed \(seed)")
                if let before = last[id] { #expect(crossing.time - before.time >= .seconds(10), "seed \(seed)") }
                #expect(crossing.time <= fix.time, "seed \(seed)")
                last[id] = (crossing.transition.direction, crossing.time)
            }
            let inside = Set(tracker.inside.map(\.id))
            for region in tracker.regions {
                guard let clearance = region.shape.area?.clearance(from: fix.coordinate),
                    clearance.magnitude > fix.position.accuracy ?? Metres(10),
                    last[region.id].map({ fix.time - $0.time >= .seconds(10) }) ?? true
                else { continue }
                #expect(inside.contains(region.id) == (clearance < .zero), "seed \(seed)")
            }
        }
    }

    @Test("After a restart at any moment, no transition is lost or repeated.", arguments: 0..<14)
    func restarts(seed: Int) throws {
        var country = try Country(seed: seed)
        var tracker = RegionTracker(try country.regions(40))
        var inside: Set<String> = []
        for step in 0..<300 {
            if step % 7 == seed % 7 { tracker = RegionTracker(tracker.regions, restoring: tracker.stays) }
            for crossing in tracker.handle(try country.drive(step)) {
                let id = crossing.transition.region.id
                #expect(inside.contains(id) == (crossing.transition.direction == .leave), "seed \(seed)")
                if inside.remove(id) == nil { inside.insert(id) }
            }
            #expect(Set(tracker.inside.map(\.id)) == inside, "seed \(seed)")
        }
    }
}

/// Random regions, and a random drive among them.
private struct Country {
    private static let sizes = [30.0, 120, 600, 2500]
    private var random: SplitMix
    private let middle: Coordinate
    private var place: Coordinate
    private var heading = (east: 20.0, north: 0.0)
    private var time = Samples.start

    init(seed: Int) throws {
        random = SplitMix(seed: UInt64(seed))
        middle = try RegionPropertyTests.middle(seed)
        place = middle
    }

    /// Makes circles and polygons whose sizes range from a house to a district.
    mutating func regions(_ count: Int) throws -> [Region] {
        var regions: [Region] = []
        while regions.count < count {
            let centre = middle.moved(east: metres(3000), north: metres(3000))
            let size = Self.sizes[Int.random(in: 0..<Self.sizes.count, using: &random)]
            let id = "\(regions.count)"
            if Bool.random(using: &random) {
                let circle = RegionArea.circle(centre: centre, radius: Metres(size))
                regions.append(try Samples.region(id, .area(circle)))
            } else {
                var corners: [Coordinate] = []
                for _ in 0..<5 { corners.append(centre.moved(east: metres(size), north: metres(size))) }
                // Close to a pole, some polygons contain the pole, and trackerd rejects such a polygon.
                guard let polygon = try? Polygon(outer: Ring(corners), holes: []) else { continue }
                regions.append(try Samples.region(id, .area(.polygon(polygon))))
            }
        }
        return regions
    }

    /// Returns the next fix, mostly a few seconds later and at a new place, sometimes after a gap, with errors of all sizes.
    mutating func drive(_ step: Int) throws -> AcceptedFix {
        let seconds = step % 40 == 39 ? 90.0 : Double.random(in: 1...6, using: &random)
        heading.east += Double.random(in: -8...8, using: &random)
        heading.north += Double.random(in: -8...8, using: &random)
        if middle.distance(to: place) > Metres(3000) { place = middle }
        place = place.moved(east: Metres(heading.east * seconds), north: Metres(heading.north * seconds))
        time = time + Duration(inSeconds: seconds)
        let accuracy: Metres? = step % 9 == 0 ? nil : Metres(Double.random(in: 1...60, using: &random))
        return try #require(
            AcceptedFix(Fix(mode: .threeDimensional, time: time, coordinate: place, accuracy: accuracy)))
    }

    private mutating func metres(_ size: Double) -> Metres { Metres(Double.random(in: -size...size, using: &random)) }
}

extension RegionPropertyTests {
    fileprivate static func middle(_ seed: Int) throws -> Coordinate {
        let (latitude, longitude) = middles[seed % middles.count]
        return try #require(Coordinate(latitude: latitude, longitude: longitude))
    }
}
