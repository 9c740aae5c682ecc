import Testing

/// Checks the sentences in Transistor's "Philosophy of Operation" in replays.
@Suite("Tracking by motion, in a replay")
struct MotionReplayTests {
    @Test("A parked vehicle has one reference position; the receiver is off until the accelerometer detects motion.")
    func reference() throws {
        var car = SyntheticDrive()
        car.stand(3600)
        car.drive(60, at: 15)
        let drive = try ReplayedDrive(car, tracking: "{transistor: {}}")
        let parked = drive.records.filter { $0.made_s < 3600 && $0.longitude != nil }
        #expect(parked.map(\.kind) == ["motionchange"])
        let start = try #require(parked.first?.longitude.map(SyntheticDrive.metres))
        #expect(abs(start) < 1)
        #expect(drive.receiverShare(in: 10...3600) == 0)
        #expect(drive.receiverShare(in: 3605...3660) == 1)
    }

    @Test(
        "The accelerometer alone starts and ends a trip; vibration for less than `motionTriggerDelay` starts none.",
        arguments: [("{transistor: {}}", 1), ("{transistor: {motionTriggerDelay: 60000}}", 0)])
    func accelerometer(tracking: String, trips: Int) throws {
        var shaken = SyntheticDrive()
        shaken.accuracy_m = nil
        shaken.stand(60)
        shaken.stand(30, isShaken: true)
        shaken.stand(600)
        let drive = try ReplayedDrive(shaken, tracking: tracking)
        #expect(drive.states.map(\.name) == (trips == 1 ? ["moving", "stationary"] : []))
        let still = try ReplayedDrive("Synthetic/parked.csv.gz", tracking: tracking)
        #expect(still.states.isEmpty)
    }

    /// The section `tracking`, and the number of stops; `stopTimeout` and `stopDetectionDelay` of Transistor are in minutes.
    static let halts: [(tracking: String, stops: Int)] = [
        ("{transistor: {}}", 1), ("{transistor: {stopTimeout: 1}}", 2),
        ("{transistor: {stopTimeout: 1, stopDetectionDelay: 2}}", 1), ("{}", 1), ("{stopTimeout: 60}", 2),
    ]

    @Test("A red light of two minutes is a stop only if `stopTimeout` is shorter than the red light.", arguments: halts)
    func redLight(tracking: String, stops: Int) throws {
        var town = SyntheticDrive()
        town.stand(60)
        town.drive(120, at: 15)
        town.stand(120)
        town.drive(120, at: 15)
        town.stand(720)
        let drive = try ReplayedDrive(town, tracking: tracking)
        #expect(drive.states.count { $0.name == "stationary" } == stops)
    }

    @Test(
        "Slow traffic with halts of 50 s is one trip, unless `stopTimeout` is shorter than the halts.",
        arguments: [("{transistor: {}}", 1), ("{}", 1), ("{stopTimeout: 40}", 11)])
    func slowTraffic(tracking: String, stops: Int) throws {
        var queue = SyntheticDrive()
        queue.stand(60)
        queue.drive(120, at: 15)
        for _ in 0..<10 {
            queue.stand(50)
            queue.drive(10, at: 2.5)
        }
        queue.drive(60, at: 15)
        queue.stand(720)
        let drive = try ReplayedDrive(queue, tracking: tracking)
        #expect(drive.states.count { $0.name == "stationary" } == stops)
    }

    @Test("A stop switches the receiver off, and its record has the place at which the vehicle stands.")
    func arrival() throws {
        let drive = try ReplayedDrive("Synthetic/hour.csv.gz", tracking: "{transistor: {}}")
        let arrival = try #require(drive.records.last { $0.kind == "motionchange" })
        let stop = try #require(drive.states.last)
        #expect(stop.name == "stationary" && arrival.made_s == stop.at_s && !arrival.isMoving)
        // The vehicle drives 45 km.
        let place = try #require(arrival.longitude.map(SyntheticDrive.metres))
        #expect(abs(place - 45_000) < 200)
        #expect(drive.receiver.last?.upperBound == stop.at_s)
    }

    /// The section `tracking`, and the distances between track points at 5 and at 20 m/s.
    ///
    /// With one fix per second, a distance is a multiple of 5 or of 20 m.
    static let distances: [(tracking: String, slow_m: Double, fast_m: Double)] = [
        ("{transistor: {distanceFilter: 45, disableElasticity: true}}", 45, 60),
        ("{transistor: {distanceFilter: 90, disableElasticity: true}}", 90, 100),
        // At 20 m/s, elasticity multiplies the distance by 4, and at 5 m/s by 1. `elasticityMultiplier: 2` doubles both.
        ("{transistor: {distanceFilter: 45}}", 45, 180),
        ("{transistor: {distanceFilter: 45, elasticityMultiplier: 2}}", 90, 360),
    ]

    @Test(
        "Track points are `distanceFilter` apart, and elasticity lengthens the distance with speed.",
        arguments: distances)
    func spacing(tracking: String, slow_m: Double, fast_m: Double) throws {
        for (speed, expected) in [(5.0, slow_m), (20, fast_m)] {
            var steady = SyntheticDrive()
            steady.stand(60)
            steady.drive(180, at: speed)
            let drive = try ReplayedDrive(steady, tracking: tracking)
            let places = drive.records.filter { $0.kind == "location" }.compactMap(\.longitude)
                .map(SyntheticDrive.metres)
            #expect(places.count > 3)
            // The first point is the first fix after the departure.
            for (one, next) in zip(places, places.dropFirst()) { #expect(abs(next - one - expected) < 1) }
        }
    }
}
