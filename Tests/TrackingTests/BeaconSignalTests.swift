import Quantities
import Testing

@testable import Tracking

@Suite("The signal of a beacon")
struct BeaconSignalTests {
    private var signal = BeaconSignal()

    @Test("The signal of a beacon is the mean without the strongest and the weakest tenth.")
    mutating func trimmed() {
        for rssi: Int8 in [-20, -60, -61, -62, -63, -64, -65, -66, -67, -120] {
            signal.add(Samples.sighting(7, rssi), at: .at(1))
        }
        #expect(signal.strength(at: .at(1)) == -63.5)
    }

    @Test("The signal of a beacon is computed from the readings of the last 20 s.")
    mutating func window() {
        signal.add(Samples.sighting(7, -80), at: .at(0))
        signal.add(Samples.sighting(7, -60), at: .at(10))
        #expect(signal.strength(at: .at(20)) == -70)
        #expect(signal.strength(at: .at(20.1)) == -60)
        #expect(signal.strength(at: .at(30.1)) == nil)
    }

    @Test("The signal of a beacon does not grow with its advertising rate.")
    mutating func flood() {
        for index in 0..<10_000 { signal.add(Samples.sighting(7, index < 9950 ? -90 : -50), at: .at(5)) }
        #expect(signal.strength(at: .at(5)) == -50)
    }

    @Test(
        "The signal of a beacon determines its proximity.",
        arguments: [
            (-50, 0.44, BeaconReading.Proximity.immediate), (-51, 0.48, .immediate), (-52, 0.52, .near),
            (-59, 1, .near),
            (-65, 1.74, .near), (-70, 2.75, .near), (-71, 3.02, .far), (-75, 4.37, .far), (-90, 17.4, .far),
        ])
    mutating func distance(rssi: Int8, metres: Double, proximity: BeaconReading.Proximity) throws {
        signal.add(Samples.sighting(7, rssi), at: .at(1))
        let distance = try #require(signal.distance(at: .at(1)))
        #expect((distance.value / metres - 1).magnitude < 0.02)
        #expect(signal.proximity(at: .at(1)) == proximity)
    }

    @Test("The proximity is unknown for a beacon that is silent or does not state its power.")
    mutating func unknown() {
        #expect(signal.proximity(at: .at(0)) == .unknown)
        signal.add(Samples.sighting(7, -59, measuredPower: nil), at: .at(0))
        #expect(signal.proximity(at: .at(0)) == .unknown)
        signal.add(Samples.sighting(7, -59), at: .at(1))
        #expect(signal.proximity(at: .at(1)) == .near)
        #expect(signal.proximity(at: .at(22)) == .unknown)
    }
}
