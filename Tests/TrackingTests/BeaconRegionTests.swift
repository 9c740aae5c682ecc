import Quantities
import Testing

@testable import Tracking

@Suite("A beacon region")
struct BeaconRegionTests {
    private var tracker: RegionTracker

    init() throws {
        var options = Region.Options()
        options.holdDown = .seconds(3)
        tracker = RegionTracker([
            try Samples.beaconRegion("van"), try Samples.beaconRegion("key", options: options),
            try Samples.circle("depot"),
        ])
    }

    @Test("A beacon region is entered and left by its beacon alone, and not by fixes.")
    mutating func enterAndLeave() throws {
        #expect(tracker.beacon("van", isPresent: true, 0) == ["enter van 0.0"])
        #expect(tracker.beacon("van", isPresent: true, 1).isEmpty)
        #expect(try tracker.drive(5, east: 9000).isEmpty)
        #expect(try tracker.drive(6, east: 9000).isEmpty)
        #expect(tracker.inside.map(\.id) == ["van"])
        let leave = tracker.handle(
            beaconRegion: "van", isPresent: false, at: Samples.start + .seconds(90), position: nil)
        #expect(leave.map(\.inShort) == ["leave van 90.0"])
        #expect(leave.first?.transition.trigger == .beacon)
        #expect(leave.first?.transition.inside == .seconds(90))
    }

    @Test("A beacon region has at most one transition in 10 s; a transition within the 10 s is reported at their end.")
    mutating func interval() {
        #expect(tracker.beacon("van", isPresent: true, 0) == ["enter van 0.0"])
        #expect(tracker.beacon("van", isPresent: false, 4).isEmpty)
        #expect(tracker.dueSeconds == 10)
        #expect(tracker.wait(until: 9.9).isEmpty)
        #expect(tracker.wait(until: 10) == ["leave van 10.0"])
        #expect(tracker.due == nil)
    }

    @Test("A beacon region with a hold-down is left, dated at the loss, if the beacon is still silent after 3 s.")
    mutating func holdDown() {
        #expect(tracker.beacon("key", isPresent: true, 0) == ["enter key 0.0"])
        #expect(tracker.beacon("key", isPresent: false, 50).isEmpty)
        #expect(tracker.beacon("key", isPresent: true, 52).isEmpty)
        #expect(tracker.due == nil)
        #expect(tracker.beacon("key", isPresent: false, 60).isEmpty)
        #expect(tracker.dueSeconds == 63)
        #expect(tracker.wait(until: 63) == ["leave key 60.0"])
        #expect(tracker.inside.isEmpty)
    }

    @Test("A transition of a beacon region states the vehicle's place if the place is known.")
    mutating func place() throws {
        let position = try Samples.accepted(0).position
        let told = tracker.handle(beaconRegion: "van", isPresent: true, at: Samples.start, position: position)
        #expect(told.map(\.position) == [position])
    }

    @Test("A beacon event for a circle or for an unknown region enters no region.", arguments: ["depot", "unknown"])
    mutating func others(id: String) {
        #expect(tracker.beacon(id, isPresent: true, 0).isEmpty)
        #expect(tracker.inside.isEmpty)
    }

    @Test("After a restart, a beacon region whose beacon is not heard again is left after an unknown time.")
    mutating func restart() {
        tracker = RegionTracker(tracker.regions, restoring: [RegionOccupancy(id: "van", entered: Samples.start)])
        let told = tracker.handle(
            beaconRegion: "van", isPresent: false, at: Samples.start + .seconds(500), position: nil)
        #expect(told.map(\.inShort) == ["leave van 500.0"])
        #expect(told.first?.transition.inside == nil)
    }
}
