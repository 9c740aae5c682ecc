import Quantities
import Testing

@testable import Tracking

@Suite("The vehicle of a trip")
struct VehicleDetectionTests {
    private static let marked = [
        MarkedBeacon(Samples.beacon(1), name: "Van 1", role: .vehicle),
        MarkedBeacon(Samples.beacon(2), name: "Van 2", role: .vehicle),
        MarkedBeacon(Samples.beacon(3), name: "Ada", role: .driver),
        MarkedBeacon(Samples.beacon(4), name: "Bob", role: .driver),
    ]

    private var detection = VehicleIdentification(marked)

    init() { _ = detection.handle(.tripBegan, at: .at(100)) }

    @discardableResult
    private mutating func hear(_ minor: UInt16, _ rssi: Int8, at second: Double) -> Bool {
        detection.handle(.sighting(Samples.sighting(minor, rssi)), at: .at(100 + second))
    }

    @Test("The vehicle of a trip is provisionally known from the first sighting on.")
    mutating func provisional() {
        #expect(detection.names.vehicle == nil)
        #expect(hear(1, -80, at: 3))
        #expect(detection.names.vehicle == "Van 1")
        #expect(detection.names.driver == nil)
    }

    @Test("The vehicle of a trip is the vehicle with the strongest beacon in the first 60 s.")
    mutating func strongest() {
        hear(1, -80, at: 3)
        #expect(hear(2, -60, at: 60))
        #expect(detection.names.vehicle == "Van 2")
    }

    @Test("The vehicle of a trip does not change after 60 s.")
    mutating func settled() {
        hear(1, -80, at: 3)
        #expect(!hear(2, -40, at: 60.1))
        #expect(detection.names.vehicle == "Van 1")
    }

    @Test("A single stray sighting does not decide the vehicle of a trip.")
    mutating func stray() {
        for second in 0..<10 { hear(1, -60, at: Double(second)) }
        hear(2, -80, at: 1)
        hear(2, -50, at: 2)
        #expect(detection.names.vehicle == "Van 1")
    }

    @Test(
        "If two beacons are equally strong, the vehicle of the beacon that was marked first is the trip's vehicle.",
        arguments: [[1, 2], [2, 1]])
    mutating func tie(order: [UInt16]) {
        for minor in order { hear(minor, -70, at: 1) }
        #expect(detection.names.vehicle == "Van 1")
    }

    @Test("If no beacon is heard in the first 60 s, the first beacon heard later decides the vehicle of a trip.")
    mutating func late() {
        #expect(hear(2, -90, at: 300))
        #expect(!hear(1, -40, at: 301))
        #expect(detection.names.vehicle == "Van 2")
    }

    @Test("The vehicle of a trip and its driver are detected independently.")
    mutating func driver() {
        hear(1, -50, at: 1)
        hear(4, -70, at: 2)
        hear(3, -65, at: 3)
        #expect(detection.names.vehicle == "Van 1")
        #expect(detection.names.driver == "Ada")
    }

    @Test("The vehicle of a trip is not detected by a beacon without a mark, nor by a sighting before the trip.")
    mutating func irrelevant() {
        #expect(!hear(9, -30, at: 1))
        _ = detection.handle(.tripEnded, at: .at(200))
        #expect(!hear(1, -30, at: 110))
        _ = detection.handle(.tripBegan, at: .at(300))
        #expect(detection.names == VehicleIdentification.Names())
    }

    @Test("The vehicle of a trip is forgotten at the trip's end, and detected again for the next trip.")
    mutating func nextTrip() {
        hear(1, -40, at: 1)
        _ = detection.handle(.tripEnded, at: .at(500))
        #expect(detection.names.vehicle == nil)
        _ = detection.handle(.tripBegan, at: .at(1000))
        hear(2, -80, at: 901)
        #expect(detection.names.vehicle == "Van 2")
    }

    @Test("A restart preserves the detected vehicle of a trip and the sightings so far.")
    mutating func restart() {
        hear(1, -80, at: 1)
        detection = VehicleIdentification(Self.marked, restoring: detection.names, isOnTrip: true)
        #expect(!hear(2, -30, at: 2))
        #expect(hear(4, -90, at: 3))
        #expect(detection.names.vehicle == "Van 1")
        #expect(detection.names.driver == "Bob")
    }
}

@Suite("Scanning for beacons")
struct ScanDutyTests {
    @Test(
        "The scan for beacons uses the lowest duty cycle that the moment allows.",
        arguments: [
            (age: nil, regions: false, duty: ScanDuty.off), (nil, true, .low), (0, false, .full), (59.9, true, .full),
            (60, false, .low), (3600, true, .low),
        ] as [(age: Double?, regions: Bool, duty: ScanDuty)])
    func duty(age: Double?, regions: Bool, duty: ScanDuty) {
        let age = age.map(Duration.init(inSeconds:))
        #expect(ScanDuty.duty(tripAge: age, hasBeaconRegions: regions, isOn: true) == duty)
        #expect(ScanDuty.duty(tripAge: age, hasBeaconRegions: regions, isOn: false) == .off)
    }

    @Test("The scan for beacons uses times that a controller supports: 2.5 ms to 10.24 s in steps of 0.625 ms.")
    func controller() {
        for duty in ScanDuty.allCases {
            guard let window = duty.window, let interval = duty.interval else { continue }
            #expect(window <= interval)
            for span in [window, interval] {
                #expect((Duration.milliseconds(2.5)...Duration.milliseconds(10_240)).contains(span))
                #expect(span.nanoseconds.isMultiple(of: 625_000))
            }
        }
        #expect(ScanDuty.off.window == nil && ScanDuty.off.interval == nil)
    }
}
