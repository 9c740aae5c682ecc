import Compatibility
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Fixes that another request causes")
struct PassiveFixTests {
    @Test(
        "OwnTracks' significant mode on Android records each fix of another request, also parked or at rest.")
    func asTheyCome() throws {
        var world = try world("significant-android")
        #expect(world.locate(at: 50) == [.request, .location])
        world.drive(from: 100, seconds: 20)
        #expect(!world.isReceiverOn)
        #expect(world.locate(at: 160, east: 600) == [.request, .location])
        #expect(world.locate(at: 170, east: 700) == [.request, .location])
    }

    @Test("With `distanceFilter`, OwnTracks on Android records another request's fix only beyond that distance.")
    func displacement() throws {
        var world = try world("significant-android") { $0.distanceFilter = Metres(500) }
        world.drive(from: 100, seconds: 20)
        #expect(world.locate(at: 130, east: 300) == [.request])
        #expect(world.locate(at: 160, east: 600) == [.request, .location])
    }

    @Test("Radar's EFFICIENT records a fix of another request at most once in six minutes on a trip.")
    func efficient() throws {
        var world = try world("efficient")
        world.drive(from: 1000, seconds: 30)
        #expect(world.locate(at: 1300, east: 3000) == [.request])
        #expect(world.locate(at: 1400, east: 4000) == [.request, .location])
    }

    @Test("A parked vehicle records a fix of another request at most once per fastestStoppedUpdateInterval.")
    func parked() throws {
        var world = try world("move-android")
        #expect(world.locate(at: 50) == [.request, .location])
        #expect(world.locate(at: 58) == [.request])
        #expect(world.locate(at: 62) == [.request, .location])
    }

    @Test(
        "The other profiles do not record a fix of another request.",
        arguments: ["vehicle", "significant", "responsive", "efficient-ios"])
    func others(name: String) throws {
        var world = try world(name)
        #expect(world.locate(at: 50) == [.request])
    }

    private func world(_ name: String, _ change: (inout TrackingOptions) -> Void = { _ in }) throws -> World {
        var options = try #require(Profile.named(name)).options
        change(&options)
        var world = World { $0 = options }
        world.park()
        return world
    }
}

extension World {
    fileprivate var isReceiverOn: Bool { engine.status.receiverOnSince != nil }

    /// Requests the location, and sends fixes that begin a second later; returns the kinds of the records.
    fileprivate mutating func locate(at second: Double, east: Double = 0) -> Set<Record.Kind> {
        _ = tell(.command(.locate(LocationRequest())), at: second)
        // After a long distance, a second fix must confirm the first.
        return (1...2).reduce(into: []) { kinds, later in
            let fix = Samples.fix(second + Double(later), east: east, speed: east > 0 ? 10 : 0)
            kinds.formUnion(tell(.fix(fix), at: second + Double(later)).compactMap { $0.record?.kind })
        }
    }
}
