import Quantities
import Testing

@testable import Tracking

@Suite("The bounds of a fix's fields")
struct FixBoundsTests {
    private static let wild: [Double] = [
        .nan, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude, -1, -0.001, 1e9,
    ]

    @Test("A fix loses a field whose value no vehicle can have, and keeps its other fields.", arguments: wild)
    func impossible(number: Double) {
        let good = Samples.fix(0, speed: 10)
        let height = number == -1 || number == -0.001 ? -501 : number
        let fix = Fix(
            mode: .threeDimensional, time: good.time, coordinate: good.coordinate,
            accuracy: number > 0 ? good.accuracy : Metres(number), altitude: Metres(height),
            ellipsoidAltitude: Metres(height * 2), verticalAccuracy: Metres(number), speed: good.speed,
            speedAccuracy: MetresPerSecond(number), course: Degrees(number), climb: MetresPerSecond(height),
            satellites: 201, hdop: number, vdop: number, pdop: number, jamming: 256)
        let expected = Fix(
            mode: .threeDimensional, time: good.time, coordinate: good.coordinate,
            accuracy: number > 0 ? good.accuracy : nil)
        var bounded = fix
        #expect(bounded.removeImpossible().count >= 10)
        #expect(bounded == expected)
    }

    @Test("Fields at their bounds are kept.")
    func bounds() {
        for (height, number) in [(-500.0, 0.0), (9000, 100), (0, -0.0)] {
            let fix = Fix(
                mode: .threeDimensional, accuracy: Metres(number), altitude: Metres(height),
                ellipsoidAltitude: Metres(height), verticalAccuracy: Metres(number), speed: MetresPerSecond(number),
                speedAccuracy: MetresPerSecond(number), course: Degrees(number * 3.6), climb: MetresPerSecond(-number),
                satellites: 200, hdop: number, vdop: number, pdop: number, jamming: 255)
            var bounded = fix
            #expect(bounded.removeImpossible().isEmpty && bounded == fix)
        }
    }

    @Test("A fix with an absurd altitude is used, and the decision log names the field.")
    func named() {
        var world = World()
        world.park()
        var fix = Samples.fix(2)
        fix.altitude = Metres(1e300)
        let effects = world.tell(.fix(fix), at: 2)
        let text = "ignored as impossible for a vehicle: altitude"
        #expect(effects.contains(.decided(Decision(.receiver, text))))
        #expect(world.engine.lastFix?.time == fix.time && world.engine.lastFix?.position.altitude == nil)
    }
}
