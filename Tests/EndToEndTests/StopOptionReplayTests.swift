import Testing

/// In `hour.csv.gz`, the vehicle drives at 15 m/s from 120 to 3120 s, and is parked before and after.
@Suite("Options of starts and stops, in a replay")
struct StopOptionReplayTests {
    /// The section `tracking`, a state, and the time when the vehicle first enters that state, in seconds.
    static let rows: [(tracking: String, state: String, at_s: ClosedRange<Double>)] = [
        ("{}", "moving", 120...125), ("{motionTriggerDelay: 30}", "moving", 148...155),
        ("{}", "stationary", 3300...3306), ("{stopTimeout: 60}", "stationary", 3180...3186),
        ("{stopTimeout: 60, stopDetectionDelay: 30}", "stationary", 3210...3216),
        ("{transistor: {activity: {stopTimeout: 1}}}", "stationary", 3180...3186),
        ("{transistor: {activity: {stopTimeout: 1, stopDetectionDelay: 1}}}", "stationary", 3240...3246),
        // The stop timeout is too long for a stop by stillness, so the place rule confirms the stop.
        ("{stopTimeout: 3600}", "stationary", 3318...3325),
        ("{stopTimeout: 3600, stopDuration: 300}", "stationary", 3418...3425),
        ("{profile: responsive}", "stationary", 3265...3275),
        ("{profile: responsive, stopDuration: 300}", "stationary", 3415...3425),
        // In 140 s the vehicle drives only 2100 m, so it counts as stopped.
        ("{profile: responsive, stopDistance: 3000}", "stationary", 265...275),
        ("{profile: trckr}", "stationary", 3230...3240),
        ("{profile: trckr, stationaryInterval: 300}", "stationary", 3405...3415),
        // In 120 s the vehicle drives 1800 m. A change of only one of the two limits, distance or speed, has no effect.
        ("{profile: trckr, stationaryDistance: 5000}", "stationary", 3225...3240),
        ("{profile: trckr, stationarySpeed: 20}", "stationary", 3225...3240),
        ("{profile: trckr, stationaryDistance: 5000, stationarySpeed: 20}", "stationary", 240...250),
    ]

    @Test("An option of starts and stops changes the time of a start or stop in a replay.", arguments: rows)
    func changes(tracking: String, state: String, at_s: ClosedRange<Double>) throws {
        let drive = try ReplayedDrive("Synthetic/hour.csv.gz", tracking: tracking)
        let first = try #require(drive.states.first { $0.name == state })
        #expect(at_s.contains(first.at_s), "\(state) after \(first.at_s) s")
    }

    /// The section `tracking`, and whether the vehicle departs when it is moved by 200 m without vibration.
    static let distances: [(tracking: String, departs: Bool)] = [
        ("{parkedCheckInterval: 20m, stationaryRadius: 150}", true),
        ("{parkedCheckInterval: 20m, stationaryRadius: 250}", false),
        ("{parkedCheckInterval: 20m, transistor: {stationaryRadius: 150}}", true),
        ("{parkedCheckInterval: 20m, transistor: {stationaryRadius: 250}}", false),
    ]

    @Test("A position check beyond `stationaryRadius` starts a trip, and tracking continues.", arguments: distances)
    func stationaryRadius(tracking: String, departs: Bool) throws {
        var ferry = SyntheticDrive()
        ferry.stand(900)
        ferry.move(metres: 200)
        ferry.stand(1200)
        let drive = try ReplayedDrive(ferry, tracking: tracking)
        let departures = drive.states.filter { $0.name == "moving" }.map(\.at_s)
        #expect(departures.count == (departs ? 1 : 0))
        // The position checks are 20 min apart, and the receiver needs a few seconds.
        #expect(departures.allSatisfy { (1200...1210).contains($0) }, "\(departures)")
        #expect(drive.points(in: 1200...2100).isEmpty != departs)
    }

    /// The section `tracking`, and whether a drive of 90 m starts a trip.
    static let circles: [(tracking: String, departs: Bool)] = [
        ("{useStoppedGeofence: false}", true), ("{useStoppedGeofence: true}", false),
        ("{useStoppedGeofence: true, stoppedGeofenceRadius: 50}", true),
        ("{useStoppedGeofence: true, stoppedGeofenceRadius: 0}", true),
        ("{radar: {useStoppedGeofence: false, stoppedGeofenceRadius: 100}}", true),
        ("{radar: {useStoppedGeofence: true, stoppedGeofenceRadius: 100}}", false),
    ]

    @Test(
        "With `useStoppedGeofence`, motion inside the circle around the parked place starts no trip.",
        arguments: circles)
    func stoppedGeofence(tracking: String, departs: Bool) throws {
        var yard = SyntheticDrive()
        yard.stand(60)
        yard.drive(6, at: 15)
        yard.stand(600)
        let drive = try ReplayedDrive(yard, tracking: tracking)
        #expect(drive.states.map(\.name) == (departs ? ["moving", "stationary"] : []))
    }

    @Test(
        "With `useVisits`, each arrival and each departure is recorded as a visit.",
        arguments: [
            ("{useVisits: true}", 3), ("{}", 0), ("{radar: {useVisits: true}}", 3), ("{radar: {useVisits: false}}", 0),
        ])
    func visits(tracking: String, visits: Int) throws {
        var delivery = SyntheticDrive()
        delivery.stand(60)
        delivery.drive(120, at: 15)
        delivery.stand(600)
        delivery.drive(60, at: 15)
        let drive = try ReplayedDrive(delivery, tracking: tracking)
        #expect(drive.records.count { $0.kind == "visit" } == visits)
        #expect(drive.states.map(\.name) == ["moving", "stationary", "moving"])
    }
}
