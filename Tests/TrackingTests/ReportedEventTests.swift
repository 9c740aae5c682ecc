import TrackingOptions
import Motion
import Quantities
import Testing
import Tracking

@Suite("Reports of events between the points of a track")
struct ReportedEventTests {
    @Test(
        "Leaving a `+follow` circle records a location, unless the mode forbids it.",
        arguments: [(MonitoringMode.significant, true), (.quiet, false)])
    func follow(mode: MonitoringMode, isRecorded: Bool) {
        var world = World { $0.distanceFilter = Metres(5000) }
        world.park()
        world.drive(from: 100, seconds: 20)
        _ = world.tell(
            .command(.waypoint(Waypoint(text: "+follow", coordinate: Samples.home, defined: Samples.start))), at: 120)
        // The next record sets the circle's first centre.
        _ = world.tell(.command(.stay), at: 121)
        _ = world.tell(.command(.move), at: 200)
        _ = world.tell(.command(.mode(mode)), at: 210)
        let records = world.drive(from: 220, seconds: 60).compactMap(\.record).filter { $0.trigger == .follow }
        #expect(records.isEmpty == !isRecorded)
        #expect(records.allSatisfy { $0.kind == .location && $0.position != nil })
    }

    @Test("The decision log states that a receiver cannot be switched, and that it can be switched again.")
    func unswitchable() {
        var world = World()
        world.park()
        let texts = [false, true].map { canBeSet in
            world.tell(.receiverLines(canBeSet: canBeSet), at: 150).compactMap { effect in
                if case .decided(let decision) = effect, decision.subject == .receiver { decision.text } else { nil }
            }
        }
        #expect(texts.map(\.count) == [1, 1] && texts[0] != texts[1])
    }

    @Test("A parked vehicle is being towed if it is tilted for eight seconds, but not for seven.", arguments: 7...9)
    func tow(seconds: Int) {
        var world = World { $0.drivingEvents = true }
        world.park()
        _ = world.tell(.ignition(isOn: true), at: 50)
        world.drive(from: 60, seconds: 60)
        _ = world.tell(.ignition(isOn: false), at: 121)
        _ = world.tell(.command(.stay), at: 122)
        // The vehicle stands on its wheels; then one axle is lifted, which tilts the vehicle by 6°.
        for second in 130..<135 {
            _ = world.tell(.motion(Samples.verdict(0, 0, 9.8, isMoving: false)), at: Double(second))
        }
        let lifted = (0..<seconds).flatMap { second in
            world.tell(.motion(Samples.verdict(0, 1.02, 9.75, isMoving: false)), at: Double(140 + second))
        }
        let tows = lifted.compactMap(\.record).filter {
            if case .driving(let event) = $0.content { event.kind == .tow } else { false }
        }
        #expect(tows.count == (seconds < 8 ? 0 : 1))
    }

    @Test(
        "The limit of a beacon's signal is refused only outside −127 to 20 dBm.",
        arguments: [
            (Int8(-128), false), (-127, true), (-80, true), (20, true), (21, false),
        ])
    func signalLimit(dBm: Int8, isTaken: Bool) {
        var options = Region.Options()
        options.rssiLimit = dBm
        let region = try? Samples.beaconRegion("van", options: options)
        #expect((region != nil) == isTaken)
    }
}
