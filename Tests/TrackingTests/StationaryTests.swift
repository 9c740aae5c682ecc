import Quantities
import StopDetection
import Testing

@testable import Tracking

@Suite("The stationary location")
struct StationaryTests {
    @Test("The stationary location is found if the locations of the interval are close together.")
    func found() throws {
        let locations = try places((0...12).map { (Double($0) * 10, 0, 4) })
        #expect(stationarity(of: locations) == .stationary(locations[12]))
        #expect(stationary(locations: locations) == locations[12])
    }

    @Test(
        "The stationary location is unknown if the locations do not fill the interval.",
        arguments: [(119.0, false), (120, true)])
    func tooShort(seconds: Double, isKnown: Bool) throws {
        let locations = try places([(0, 0, 4), (seconds, 0, 4)])
        #expect((stationarity(of: locations) == .unknown) == !isKnown)
        #expect((stationary(locations: locations) != nil) == isKnown)
    }

    @Test("The stationary location is unknown without locations, and with a single location of any age.")
    func tooFew() throws {
        #expect(stationarity(of: []) == .unknown)
        #expect(stationarity(of: try places([(0, 0, 4)]), interval: .zero) == .unknown)
    }

    @Test(
        "The stationary location is nil if the diagonal exceeds the distance, even before the interval is filled.",
        arguments: [(149.0, Stationarity.unknown), (151, .moving)])
    func tooFar(metres: Double, expected: Stationarity) throws {
        #expect(stationarity(of: try places([(0, 0, 4), (10, metres, 4)])) == expected)
    }

    @Test(
        "The stationary location is nil if the diagonal divided by the time is not below the speed.",
        arguments: [(101.0, true), (103, false)])
    func tooFast(metres: Double, isStationary: Bool) throws {
        // At 0.85 m/s, the vehicle would move 102 m in 120 s.
        let locations = try places([(0, 0, 4), (60, metres, 4), (120, 0, 4)])
        #expect((stationary(locations: locations) != nil) == isStationary)
        #expect(isStationary || stationarity(of: locations) == .moving)
    }

    @Test(
        "The stationary location is nil if the average of the reported speeds is not below the speed.",
        arguments: [(0.8, true), (0.9, false), (2, false)])
    func reportedSpeed(speed: Double, isStationary: Bool) throws {
        // The vehicle moves back and forth within 20 m, so the diagonal does not show the motion.
        let locations = try (0...12).map { step in
            Location(try Samples.accepted(Double(step) * 10, east: step % 2 == 0 ? 0 : 20, speed: speed))
        }
        #expect((stationary(locations: locations) != nil) == isStationary)
        #expect(isStationary || stationarity(of: locations) == .moving)
    }

    @Test(
        "Without reported speeds, the path counts, but not the drift of a position.",
        arguments: [(3.0, true), (8, true), (9, false), (20, false)])
    func path(metres: Double, isStationary: Bool) throws {
        // Every 10 s the vehicle is at the other end. At 0.85 m/s, it would move 8.5 m in this time.
        let locations = try (0...12).map { step in
            Location(try Samples.accepted(Double(step) * 10, east: step % 2 == 0 ? 0 : metres, speed: nil))
        }
        #expect((stationary(locations: locations) != nil) == isStationary)
    }

    @Test("The stationary location depends only on the newest locations, as far back as the interval needs.")
    func older() throws {
        let locations = try places([(0, 5000, 4), (5, 3000, 4), (10, 0, 4), (70, 2, 4), (130, 1, 4)])
        #expect(stationary(locations: locations) == locations[4])
        // The fixes from 11 s on do not fill the interval. The rule therefore also uses the earlier fix, which is far away.
        let gap = try places([(0, 5000, 4), (11, 0, 4), (70, 2, 4), (130, 1, 4)])
        #expect(stationarity(of: gap) == .moving)
    }

    @Test(
        "The stationary location uses only locations after the given time.",
        arguments: [(-1.0, true), (0, false), (500, false)])
    func after(seconds: Double, isKnown: Bool) throws {
        let locations = try places([(0, 0, 4), (60, 0, 4), (120, 0, 4)])
        let answer = stationarity(of: locations, after: Samples.start + Duration(inSeconds: seconds))
        #expect(answer == (isKnown ? .stationary(locations[2]) : .unknown))
    }

    @Test("The stationary location is the arrival: the last location before the marker and more than 5 m from it.")
    func arrival() throws {
        let locations = try places([(0, 40, 4), (10, 12, 4), (20, 6, 4), (60, 3, 4), (140, 0, 4)])
        #expect(stationary(locations: locations) == locations[2])
        // All locations before the marker are close to it, so the result is the marker itself.
        let later = try places([(0, 0, 4), (60, 2, 4), (110, 1, 4), (120, 20, 50), (130, 30, 50)])
        #expect(stationary(locations: later) == later[2])
    }

    @Test(
        "The marker is the newest location with a good error, else with a fair error, else the newest location.",
        arguments: [
            ([10.0, 10, 65, 200], 1), ([11, 66, 65, 200], 2), ([66, 66, 66, 66], 3), ([nil, nil, nil, nil], 3),
            ([nil, 10, nil, nil], 1), ([66, nil, 65.5, 70], 3),
        ] as [([Double?], Int)])
    func marker(errors: [Double?], index: Int) throws {
        let locations = try places(errors.enumerated().map { (Double($0) * 40, 0, $1) })
        #expect(stationary(locations: locations) == locations[index])
    }

    @Test("The stationary location does not depend on the order of the locations.")
    func order() throws {
        let locations = try places([(0, 40, 4), (10, 12, 4), (20, 6, 4), (60, 3, 4), (140, 0, 4)])
        let mixed = [4, 0, 2, 1, 3].map { locations[$0] }
        #expect(stationary(locations: mixed) == locations[2])
    }

    @Test(
        "The stationary location is found on the date line too.",
        arguments: [(179.9999, -179.9999), (-179.9999, 179.9999)])
    func dateLine(first: Double, second: Double) throws {
        let locations = try [(0, first), (60, second), (120, first)].map { seconds, longitude in
            Location(
                time: Samples.start + Duration.seconds(seconds),
                coordinate: try #require(Coordinate(latitude: -16.5, longitude: longitude)), accuracy: Metres(4))
        }
        // At this latitude, 0.0002° of longitude are 21 m.
        #expect(stationary(locations: locations) == locations[1])
    }

    @Test("The stationary location may be computed with other limits.")
    func limits() throws {
        let locations = try places([(0, 0, 4), (30, 20, 4), (60, 0, 4)])
        #expect(stationarity(of: locations) == .unknown)
        #expect(stationarity(of: locations, interval: .seconds(60)) == .stationary(locations[1]))
        #expect(stationarity(of: locations, interval: .seconds(60), distance: Metres(15)) == .moving)
        #expect(stationarity(of: locations, interval: .seconds(60), speed: MetresPerSecond(0.3)) == .moving)
    }

    private func places(_ places: [(seconds: Double, east: Double, error: Double?)]) throws -> [Location] {
        try places.map { Location(try Samples.accepted($0.seconds, east: $0.east, accuracy: $0.error)) }
    }
}
