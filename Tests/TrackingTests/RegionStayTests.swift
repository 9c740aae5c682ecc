import Foundation
import Quantities
import Testing

@testable import Tracking

@Suite("Regions that the vehicle is in")
struct RegionStayTests {
    private var tracker: RegionTracker

    init() throws {
        tracker = RegionTracker([
            try Samples.circle("town", radius: 5000), try Samples.circle("depot"),
            try Samples.circle("farm", east: 9000),
        ])
    }

    @Test("Occupied regions are listed in the order in which they were entered.")
    mutating func order() throws {
        #expect(try tracker.drive(0, east: 8000).isEmpty)
        #expect(try tracker.drive(100, east: 4000) == ["enter town 100.0"])
        #expect(try tracker.drive(200, east: 0) == ["enter depot 200.0"])
        #expect(tracker.inside.map(\.id) == ["town", "depot"])
        #expect(try tracker.drive(300, east: 8990) == ["leave town 300.0", "leave depot 300.0", "enter farm 300.0"])
        #expect(tracker.inside.map(\.id) == ["farm"])
    }

    @Test("Transitions between two fixes come in the order of time.")
    mutating func orderOfTime() throws {
        _ = try tracker.drive(0, east: -5500)
        #expect(try tracker.drive(55, east: 0) == ["enter town 5.0", "enter depot 54.0"])
    }

    @Test("Occupied regions survive a restart without a transition.")
    mutating func restart() throws {
        _ = try tracker.drive(0, east: 0)
        let written = try JSONEncoder().encode(tracker.stays)
        tracker = RegionTracker(
            tracker.regions, restoring: try JSONDecoder().decode([RegionOccupancy].self, from: written))
        #expect(tracker.inside.map(\.id) == ["depot", "town"])
        #expect(try tracker.drive(1000, east: 10).isEmpty)
        let leave = try #require(tracker.handle(try Samples.accepted(1100, east: 400)).first)
        #expect(leave.transition.inside == .seconds(1100))
    }

    @Test("Regions that were left while the program was down are left at the first fix, after an unknown time.")
    mutating func missedLeave() throws {
        tracker = RegionTracker(
            tracker.regions, restoring: [RegionOccupancy(id: "depot", entered: Samples.start)])
        let crossings = tracker.handle(try Samples.accepted(5000, east: 400))
        #expect(crossings.map(\.inShort) == ["leave depot 5000.0", "enter town 5000.0"])
        #expect(crossings.first?.transition.inside == nil)
    }

    @Test("Occupied regions that no longer exist after a restart are forgotten.")
    mutating func missingRegion() throws {
        tracker = RegionTracker(tracker.regions, restoring: [RegionOccupancy(id: "gone", entered: Samples.start)])
        #expect(tracker.stays.isEmpty)
        #expect(try tracker.drive(0, east: 9000) == ["enter farm 0.0"])
    }

    @Test("A dwell is reported once per visit, when the dwell time is over.")
    mutating func dwell() throws {
        var options = Region.Options()
        options.dwell = .seconds(60)
        tracker = RegionTracker([try Samples.circle("depot", options: options)])
        #expect(try tracker.drive(0, east: 0) == ["enter depot 0.0"])
        #expect(tracker.dueSeconds == 60)
        #expect(tracker.wait(until: 59.9).isEmpty)
        #expect(try tracker.drive(59.9, east: 0).isEmpty)
        #expect(tracker.wait(until: 60) == ["dwell depot 60.0"])
        #expect(tracker.due == nil)
        #expect(try tracker.drive(70, east: 0).isEmpty)
        #expect(try tracker.drive(180, east: 400) == ["leave depot 180.0"])
        #expect(try tracker.drive(280, east: 0) == ["enter depot 280.0"])
        #expect(try tracker.drive(345, east: 0) == ["dwell depot 345.0"])
    }

    @Test("A dwell is not reported while a fix contradicts it, nor after a restart until a fix confirms it.")
    mutating func doubtfulDwell() throws {
        var options = Region.Options()
        options.dwell = .seconds(60)
        tracker = RegionTracker([try Samples.circle("depot", options: options)])
        _ = try tracker.drive(0, east: 0)
        #expect(try tracker.drive(59, east: 103).isEmpty)
        #expect(tracker.due == nil)
        #expect(tracker.wait(until: 61).isEmpty)
        tracker = RegionTracker(tracker.regions, restoring: tracker.stays)
        #expect(tracker.due == nil)
        #expect(tracker.wait(until: 62).isEmpty)
        #expect(try tracker.drive(63, east: 0) == ["dwell depot 63.0"])
        tracker = RegionTracker(tracker.regions, restoring: tracker.stays)
        #expect(try tracker.drive(64, east: 0).isEmpty)
    }
}

@Suite("Changes of the list of regions")
struct RegionListTests {
    private var tracker: RegionTracker

    init() throws {
        tracker = RegionTracker([try Samples.circle("depot"), try Samples.circle("farm", east: 9000)])
        _ = try tracker.drive(0, east: 0)
    }

    @Test("A removed region disappears without a transition.", arguments: ["remove", "clear", "replace"])
    mutating func removed(how: String) throws {
        switch how {
        case "remove": tracker.remove(ids: ["depot", "unknown"])
        case "clear": tracker.replace(regions: [])
        default: tracker.replace(regions: [try Samples.circle("farm", east: 9000)])
        }
        #expect(tracker.inside.isEmpty)
        #expect(tracker.regions.map(\.id) == (how == "clear" ? [] : ["farm"]))
        #expect(try tracker.drive(100, east: 0).isEmpty)
        #expect(try tracker.drive(200, east: 400).isEmpty)
    }

    @Test("A new region around the vehicle is entered by the usual rule, and not at an earlier time.")
    mutating func added() throws {
        tracker.set([try Samples.circle("yard", radius: 103)])
        #expect(tracker.inside.map(\.id) == ["depot"])
        #expect(try tracker.drive(20, east: 99).isEmpty)
        #expect(try tracker.drive(21, east: 99) == ["enter yard 20.0"])
    }

    @Test(
        "A new region around the parked vehicle is occupied at once, without an entry.", arguments: ["set", "replace"]
    )
    mutating func addedWhileParked(how: String) throws {
        let place = try Samples.accepted(15).position
        let parked = TimedPosition(time: Samples.start + .seconds(15), position: place)
        let regions = [
            try Samples.circle("depot"), try Samples.circle("yard", radius: 103), try Samples.circle("far", east: 5000),
        ]
        if how == "set" {
            tracker.set(Array(regions.dropFirst()), parked: parked)
        } else {
            tracker.replace(regions: regions, parked: parked)
        }
        #expect(tracker.inside.map(\.id) == ["depot", "yard"])
        #expect(try tracker.drive(20, east: 99).isEmpty)
        #expect(try tracker.drive(300, east: 400).map { $0.prefix(5) } == ["leave", "leave"])
    }

    @Test("A change of one region does not affect the others.")
    mutating func others() throws {
        tracker.replace(regions: [try Samples.circle("farm", east: 9000), try Samples.circle("depot")])
        #expect(tracker.inside.map(\.id) == ["depot"])
        #expect(try tracker.drive(100, east: 0).isEmpty)
        #expect(try tracker.drive(200, east: 9000) == ["leave depot 200.0", "enter farm 200.0"])
    }

    @Test("A region with a new border is left when a fix is outside that border.")
    mutating func moved() throws {
        tracker.set([try Samples.circle("depot", east: 500)])
        #expect(tracker.regions.map(\.id) == ["depot", "farm"])
        #expect(try tracker.drive(100, east: 0) == ["leave depot 100.0"])
    }

    @Test("A fix that was compared with a region's old border does not count for the new border.")
    mutating func doubt() throws {
        #expect(try tracker.drive(20, east: 103).isEmpty)
        tracker.set([try Samples.circle("depot", radius: 102)])
        #expect(try tracker.drive(21, east: 104).isEmpty)
        #expect(try tracker.drive(22, east: 104) == ["leave depot 21.0"])
    }

    @Test("A region that becomes a beacon region is no longer occupied.")
    mutating func otherKind() throws {
        tracker.set([try Samples.beaconRegion("depot")])
        #expect(tracker.inside.isEmpty)
        #expect(try tracker.drive(100, east: 400).isEmpty)
        #expect(tracker.beacon("depot", isPresent: true, 101) == ["enter depot 101.0"])
    }

    @Test("If several regions have one key, the last of them is used.")
    mutating func sameKey() throws {
        tracker.replace(regions: [try Samples.circle("a", radius: 10), try Samples.circle("a", east: 9000)])
        #expect(try tracker.drive(100, east: 9000) == ["enter a 100.0"])
        #expect(tracker.regions.count == 1)
    }
}
