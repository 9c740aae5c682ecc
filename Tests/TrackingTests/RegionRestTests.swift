import Compatibility
import Quantities
import Recordings
import Testing
import TestSupport
import TrackingOptions

@testable import Tracking

@Suite("Regions while the receiver rests")
struct RegionRestTests {
    private static let modes: [(name: String, directions: [Transition.Direction])] = [
        ("quiet", []), ("manual", [.enter, .leave]), ("significant", [.enter, .leave]), ("move", [.enter, .leave]),
        ("significant-android", [.enter, .leave]), ("interval", [.enter, .leave]),
    ]

    @Test("A small region far away is entered and left in each mode that reports regions.", arguments: modes)
    func seen(name: String, directions: [Transition.Direction]) throws {
        let run = try drive(name, regionAt: 8_400)
        #expect(run.directions == directions)
    }

    @Test("In manual mode the receiver rests; a region on the way shortens the rest, and a distant region does not.")
    func rests() throws {
        let alone = try drive("manual", regionAt: nil).receiverOn
        let distant = try drive("manual", regionAt: 100_000).receiverOn
        let near = try drive("manual", regionAt: 8_400).receiverOn
        #expect(alone < .seconds(60))
        #expect(distant == alone)
        #expect(near < .seconds(300))
    }

    @Test(
        "The time to the nearest border is computed with 50 m/s or the last speed, without the error of the fix.",
        arguments: [(0.0, 4.0, 38.0), (20, 4, 38), (50, 4, 38), (95, 4, 20), (20, 104, 36)])
    func time(speed: Double, error: Double, seconds: Double) throws {
        let region = try Samples.circle("far", east: 2004, radius: 100)
        let borders = WatchedBorders(regions: RegionIndex([region]))
        let fix = try Samples.accepted(0, speed: speed, accuracy: error)
        let time = try #require(borders.timeToReach(after: fix, within: .seconds(3600)))
        #expect(abs(time.inSeconds - seconds) < 0.1)
        #expect(borders.timeToReach(after: fix, within: .seconds(seconds - 1)) == nil)
    }

    @Test("The distance to a border also counts from inside, and the nearest of many regions counts.")
    func nearest() throws {
        let regions = try [
            Samples.circle("around", radius: 5000), Samples.circle("far", east: 9000, radius: 100),
            Samples.circle("inner", radius: 300),
        ]
        let place = try #require(Samples.home)
        for limit in [400.0, 20_000] {
            let distance = try #require(RegionIndex(regions).borderDistance(from: place, within: Metres(limit)))
            #expect(abs(distance.value - 300) < 1)
        }
        #expect(RegionIndex(regions).borderDistance(from: place, within: Metres(299)) == nil)
    }

    /// Drives 12 km at 20 m/s, with a region of 300 m at `metres` along the street, or without a region (nil).
    private func drive(
        _ profile: String, regionAt metres: Double?
    ) throws -> (directions: [Transition.Direction], receiverOn: Duration) {
        let scenario = Scenario(seed: 3).park(for: .seconds(60))
            .drive(.kilometres(12), at: MetresPerSecond(20)).park(for: .seconds(400))
        let profile = try #require(Profile.named(profile))
        var setup = EngineConfiguration(layers: OptionLayers([.profile(profile)]))
        if let metres {
            // The street leads 800 m to the east, then 800 m to the north, and so on.
            let beginning = try #require(Scenario(seed: 3).place)
            let way = Scenario(seed: 3).carry(Metres(metres), for: .seconds(1000), vibration: .rest)
            let centre = metres > 50_000 ? beginning.moved(east: Metres(metres), north: .zero) : try #require(way.place)
            let shape = RegionShape.area(.circle(centre: centre, radius: Metres(300)))
            setup.regions = [try Samples.region("Far", shape)]
        }
        var replay = Replay(Timeline([scenario.recording], gap: .zero), setup)
        var directions: [Transition.Direction] = []
        replay.run { effect, _ in
            if let record = effect.record, case .transition(let transition) = record.content {
                directions.append(transition.direction)
            }
        }
        return (directions, replay.summary.receiverTime(at: .boot + scenario.end))
    }
}
