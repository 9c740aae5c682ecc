import Quantities
import TestSupport
import Testing
import Tracking

@Suite("Thinning a track")
struct TrackThinningTests {
    private static let home = Coordinate(latitude: 52.5, longitude: 13.4)
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    private func point(_ second: Int, east: Double, north: Double) throws -> TrackThinning.Point {
        TrackThinning.Point(
            sequence: Int64(second),
            coordinate: try #require(Self.home).moved(east: Metres(east), north: Metres(north)),
            time: Self.start + .seconds(second))
    }

    private func thinned(_ points: [TrackThinning.Point]) -> [TrackThinning.Point] {
        var thinning = TrackThinning()
        let removed = Set(points.flatMap { thinning.add($0) } + thinning.finish())
        return points.filter { !removed.contains($0.sequence) }
    }

    @Test("Thinning leaves every 65th point and the last point of a straight drive at constant speed.")
    func straight() throws {
        let points = try (0..<200).map { try point($0, east: Double($0) * 20, north: 0) }
        #expect(thinned(points).map(\.sequence) == [0, 64, 128, 192, 199])
    }

    @Test("Thinning preserves a stop on a straight road, because the times would be wrong without it.")
    func stop() throws {
        let points = try (0..<60).map { try point($0, east: Double($0 < 20 ? $0 : max(20, $0 - 20)) * 20, north: 0) }
        let kept = thinned(points).map(\.sequence)
        #expect(kept.contains { (19...21).contains($0) } && kept.contains { (39...41).contains($0) })
    }

    @Test("On a random drive, the vehicle was within 10 m of the thinned track at each time.", arguments: 0..<20)
    func random(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        var (east, north, speed, course) = (0.0, 0.0, 10.0, 0.0)
        var points: [TrackThinning.Point] = []
        for second in 0..<400 {
            speed = max(0, speed + .random(in: -2...2, using: &generator))
            course += .random(in: -0.3...0.3, using: &generator)
            east += speed * (1 - course * course / 8)
            north += speed * course / 2
            points.append(try point(second, east: east, north: north))
        }
        let kept = thinned(points)
        #expect(kept.first == points.first && kept.last == points.last)
        for one in points {
            let next = try #require(kept.first { $0.time >= one.time })
            let last = try #require(kept.last { $0.time <= one.time })
            let span = (next.time - last.time).inSeconds
            let share = span > 0 ? (one.time - last.time).inSeconds / span : 0
            let offset = last.coordinate.offset(to: next.coordinate)
            let there = last.coordinate.moved(
                east: Metres(offset.east.value * share), north: Metres(offset.north.value * share))
            #expect(there.distance(to: one.coordinate).value < 10.2, "at \(one.sequence) s")
        }
    }

    @Test("In a thinned track, a point after a pause or with an earlier time begins a new line.")
    func pause() throws {
        var thinning = TrackThinning()
        for second in [0, 1, 2] { #expect(thinning.add(try point(second, east: 0, north: 0)).isEmpty) }
        #expect(thinning.add(try point(700, east: 0, north: 0)) == [1])
        #expect(thinning.lastKept == 700)
        #expect(thinning.add(try point(690, east: 0, north: 0)).isEmpty)
        #expect(thinning.lastKept == 690)
    }
}
