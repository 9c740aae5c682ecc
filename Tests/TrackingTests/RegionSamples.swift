import Quantities
import Testing

@testable import Tracking

extension Samples {
    /// `east` and `north` are the metres from home to the centre.
    static func circle(
        _ id: String, east: Double = 0, north: Double = 0, radius: Double = 100, options: Region.Options = .init()
    ) throws -> Region {
        let centre = try #require(home).moved(east: Metres(east), north: Metres(north))
        let circle = RegionArea.circle(centre: centre, radius: Metres(radius))
        return try region(id, .area(circle), options: options)
    }

    static func beaconRegion(_ id: String, options: Region.Options = .init()) throws -> Region {
        try region(id, .beacon(BeaconIdentity(uuid: uuid)), options: options)
    }

    /// The corners are in metres to the east and north of home.
    static func polygon(_ id: String, _ corners: [(Double, Double)], hole: [(Double, Double)] = []) throws -> Region {
        let home = try #require(home)
        func points(_ corners: [(Double, Double)]) -> [Coordinate] {
            corners.map { home.moved(east: Metres($0.0), north: Metres($0.1)) }
        }
        let holes = hole.isEmpty ? [] : [points(hole)]
        return try region(id, .area(try Region.polygon(points(corners), holes: holes, of: id)))
    }

    static func region(_ id: String, _ shape: RegionShape, options: Region.Options = .init()) throws -> Region {
        try Region(RegionName(id: id, name: id), text: id, defined: start, shape: shape, options: options)
    }

    static let uuid = "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f"
}

extension RegionTracker {
    /// Passes a fix at `seconds` after the start and at this distance from home; returns the transitions in short form.
    mutating func drive(_ seconds: Double, east: Double, north: Double = 0, accuracy: Double? = 5) throws -> [String] {
        handle(try Samples.accepted(seconds, east: east, north: north, accuracy: accuracy)).map(\.inShort)
    }

    /// Reports that a region's beacon is present or lost; returns the transitions in short form.
    mutating func beacon(_ id: String, isPresent: Bool, _ seconds: Double) -> [String] {
        handle(beaconRegion: id, isPresent: isPresent, at: Samples.start + Duration(inSeconds: seconds), position: nil)
            .map(\.inShort)
    }

    /// Lets time pass; returns the transitions in short form.
    mutating func wait(until seconds: Double) -> [String] {
        elapse(to: Samples.start + Duration(inSeconds: seconds), position: nil).map(\.inShort)
    }

    /// The time of the next pending transition in seconds after the start; nil if none is pending.
    var dueSeconds: Double? { due.map { ($0 - Samples.start).inSeconds } }
}

extension RegionCrossing {
    /// A short form such as `enter depot 12.5`: the event, the region, and the seconds after the start.
    var inShort: String {
        let tenths = ((time - Samples.start).inSeconds * 10).rounded() / 10
        return "\(transition.direction) \(transition.region.id) \(tenths)"
    }
}
